package io.bloomjoin.hadoop.cli;

import picocli.CommandLine.IVersionProvider;

/** The version that the jar states. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {"Bloomjoin " + (version == null ? "(built from source)" : version)};
  }
}
