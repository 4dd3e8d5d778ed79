#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A service manager's end of the notification socket: notify.py SOCKET LOG.

Writes every message that arrives to LOG, a line each, until it is ended.
"""
import socket
import sys

s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
with open(sys.argv[2], "w", buffering=1) as log:
    while True:
        log.write(s.recv(65536).decode() + "\n")
