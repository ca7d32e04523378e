import type { FastifyRequest } from 'fastify';

const HOST = /^(?:[A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** The origin under which the caller reached the service, for links; a Host header that is no host is not repeated. */
export function originOf(request: FastifyRequest): string {
  const host = HOST.test(request.host) ? request.host : `127.0.0.1:${request.socket.localPort ?? 80}`;
  return `http://${host}`;
}
