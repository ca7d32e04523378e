// Loaded before the command line: the process kills itself just before its n-th write once the file that KILL_AT names says n. A write is
// a statement that changes an SQLite file or ends a transaction on it, whatever is sent to a server, and whatever is answered.
const fs = require('node:fs');
const net = require('node:net');
const { isMainThread } = require('node:worker_threads');

let left = null;

function tick() {
  if (left === null) {
    try {
      left = Number(fs.readFileSync(process.env.KILL_AT, 'utf8'));
    } catch {
      return;
    }
  }
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

function before(of, name, isCounted = () => true) {
  const own = of[name];
  of[name] = function (...given) {
    if (isCounted(this)) tick();
    return own.apply(this, given);
  };
}

if (isMainThread && process.env.KILL_AT) {
  const open = process.dlopen;
  process.dlopen = function (module, ...given) {
    open.call(this, module, ...given);
    const statement = module.exports.Statement?.prototype;
    const isWrite = ({ readonly, source }) => !readonly || /^\s*(begin|commit|rollback)/i.test(source);
    for (const name of statement ? ['run', 'get', 'all', 'iterate'] : []) before(statement, name, isWrite);
  };
  before(net.Socket.prototype, 'write');
  before(process.stdout, 'write');
}
