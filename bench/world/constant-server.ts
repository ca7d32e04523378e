/** Fastify answering one constant of a given size: the floor for the service's reads. Prints its URL as one line of JSON. */
import fastify from 'fastify';

// A buffer, as the service sends it: Node would join a text with its headers, and encode it anew for each request.
const body = Buffer.from(JSON.stringify({ filler: 'x'.repeat(Math.max(0, Number(process.argv[2]) - 13)) }));
const app = fastify();
app.get('/', (_request, reply) => reply.type('application/json').send(body));
const url = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${JSON.stringify({ url: `${url}/` })}\n`);
