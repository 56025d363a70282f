# Shared by the commands in bin/: finds the tools, builds what is out of date, starts a program.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
built="$root/benchmarks/target/built"

fail() {
  echo "$(basename "$0"): $*" >&2
  exit 2
}

# Sets java. A JDK, not a JRE: the build compiles.
require_jdk() {
  local hint="Install a JDK 17 or newer and set JAVA_HOME to it or put it on PATH."
  if [[ -n "${JAVA_HOME:-}" ]]; then
    java="$JAVA_HOME/bin/java"
    [[ -x "$java" ]] || fail "JAVA_HOME is $JAVA_HOME, but there is no bin/java in it. $hint"
    [[ -x "$JAVA_HOME/bin/javac" ]] || fail "JAVA_HOME is $JAVA_HOME, which has no javac. $hint"
  else
    java="$(command -v java)" || fail "There is no java. $hint"
    command -v javac > /dev/null || fail "There is a java but no javac. $hint"
  fi
  local text
  text="$("$java" -version 2>&1)"
  [[ "$text" =~ version\ \"([0-9]+) ]] || fail "Cannot tell the version of $java: $text"
  ((BASH_REMATCH[1] >= 17)) || fail "$java is version ${BASH_REMATCH[1]}. $hint"
}

require_maven() {
  local hint="Install Maven 3.8 or newer and put its bin folder on PATH."
  command -v mvn > /dev/null || fail "There is no mvn. $hint"
  local text
  text="$(mvn -B -v 2>&1)" || fail "mvn -v fails: $text"
  [[ "$text" =~ Apache\ Maven\ ([0-9]+)\.([0-9]+) ]] || fail "Cannot tell Maven's version: $text"
  ((BASH_REMATCH[1] * 100 + BASH_REMATCH[2] >= 308)) ||
    fail "Maven is version ${BASH_REMATCH[1]}.${BASH_REMATCH[2]}. $hint"
}

# The stamp names the root, since the files of a build do not survive a move of the checkout.
is_built() {
  [[ -f "$built" && "$(< "$built")" == "$root" ]] &&
    [[ -z "$(find "$root"/pom.xml "$root"/*/pom.xml "$root"/*/src/main -newer "$built" -print -quit)" ]]
}

# Runs Maven. Later, sources that changed after its start count as not built.
build() {
  mkdir -p "$(dirname "$built")"
  echo "$root" > "$built.next"
  mvn -B -f "$root/pom.xml" "$@"
  mv "$built.next" "$built"
}

build_if_needed() {
  is_built && return
  require_maven
  echo "Building; the first time Maven downloads Spark, too ..." >&2
  build -q -pl benchmarks -am -DskipTests -Dmaven.test.skip=true -Dspotless.check.skip=true package
}

# Sets venv to a virtual environment with the package bloomjoin and what its tests and the notebooks
# require. It is made anew when they, the checkout or Python have changed.
python_environment() {
  local requirements=("$root/python/requirements.txt" "$root/notebooks/requirements.txt") stamp
  local hint="Install Python 3.11 or newer with its venv module, and put python3 on PATH."
  command -v python3 > /dev/null || fail "There is no python3. $hint"
  python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2> /dev/null ||
    fail "$(command -v python3) is too old or has no venv. $hint"
  venv="$root/target/venv"
  stamp="$root $(python3 -c 'import sys; print(sys.executable, sys.version)') $(cat "${requirements[@]}")"
  if [[ ! -f "$venv/made-for" || "$(< "$venv/made-for")" != "$stamp" ]]; then
    echo "Making $venv; the first time pip downloads PySpark, 450 MB, too ..." >&2
    python3 -m venv --clear "$venv"
    "$venv/bin/pip" install -q --disable-pip-version-check "${requirements[@]/#/-r}"
    echo "$stamp" > "$venv/made-for"
  fi
  "$venv/bin/pip" install -q --disable-pip-version-check --no-deps --no-build-isolation \
    --force-reinstall "$root/python"
}

# run <class> <arguments>: a program of the benchmarks, with the jar that users get.
run() {
  require_jdk
  build_if_needed
  exec "$java" "@$root/benchmarks/target/java.args" "io.bloomjoin.benchmarks.$1" "${@:2}"
}
