/*
 * The HTTP/1.1 server that is measured against: an application of handshake/server.h, the same for
 * plain and TLS ports.
 *
 *     GET  /bytes/N            N bytes of http/content.h, up to 1 GiB
 *     POST /echo               the body comes back as it comes in
 *     POST /discard            the body is counted: "N\n"
 *     GET  /delay/MS           an empty answer after so many milliseconds, up to 60,000
 *     GET  /tlsmeter/figures   server_describe's JSON
 *
 * HEAD works where GET does, PUT where POST does. Requests may be pipelined. Bodies are never held.
 * What is wrong is answered with 400, 404, 405, 413, 414, 431 or 501 and a line that says why;
 * after bytes that are no HTTP the connection ends. Limits of time: a request's headers within
 * handshake_time_out_ns of the server's settings, then idle_time_out_ns from each byte to the next.
 */
#ifndef TLSMETER_HTTP_SERVER_H
#define TLSMETER_HTTP_SERVER_H

#include "handshake/server.h"

enum { HTTP_MOST_HEADER_BYTES = 8192, HTTP_MOST_HEADERS = 100, HTTP_MOST_DELAY_MS = 60000 };

extern const struct server_application http_server;

#endif
