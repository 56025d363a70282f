"""Bloomjoin for PySpark.

Start with :func:`configure`, which gives a session the extension that prunes joins. The other names
are for filters by hand: column functions, which work on classic and Spark Connect sessions, and the
Java API, which works on classic sessions only.
"""

from bloomjoin.filters import add, build, explain, is_stale, load, prune, save, union, with_source
from bloomjoin.functions import bloom_agg, bloom_info, bloom_might_contain, bloom_union_agg
from bloomjoin.session import configure, decisions

__all__ = [
    "add",
    "bloom_agg",
    "bloom_info",
    "bloom_might_contain",
    "bloom_union_agg",
    "build",
    "configure",
    "decisions",
    "explain",
    "is_stale",
    "load",
    "prune",
    "save",
    "union",
    "with_source",
]
