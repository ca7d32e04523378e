import { type AddressInfo, createServer, type Socket } from 'node:net';

/**
 * What speaks PostgreSQL's protocol and poses as another engine or version: it lets everybody in, and answers every
 * statement with one row.
 */
export interface PosingServer {
  /** The address of a ledger there. */
  readonly url: string;
  /** The statements that it was asked. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** @param row the columns of the one row, by name */
export async function startPosingServer(row: Record<string, string>, password: string): Promise<PosingServer> {
  const asked: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {});
    let isStarted = false;
    socket.on('data', (bytes) => {
      // The first message has no type: it says who wants in. Each of the driver's messages arrives whole.
      if (!isStarted) {
        isStarted = true;
        socket.write(Buffer.concat([message('R', int(0)), READY]));
      } else if (bytes[0] === 0x51) {
        asked.push(bytes.subarray(5, -1).toString());
        socket.write(Buffer.concat([...answer(row), READY]));
      } else socket.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgresql://rana:${password}@127.0.0.1:${port}/books`,
    asked,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(row: Record<string, string>): Buffer[] {
  const text = 25;
  const names = Object.keys(row).map((name) => [
    cstring(name),
    int(0),
    short(0),
    int(text),
    short(-1),
    int(-1),
    short(0),
  ]);
  const values = Object.values(row).map((value) => [int(Buffer.byteLength(value)), Buffer.from(value)]);
  return [
    message('T', short(names.length), ...names.flat()),
    message('D', short(values.length), ...values.flat()),
    message('C', cstring('SELECT 1')),
  ];
}

function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int(body.length + 4), body]);
}

function int(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function short(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function cstring(value: string): Buffer {
  return Buffer.from(`${value}\0`);
}

const READY = message('Z', Buffer.from('I'));
