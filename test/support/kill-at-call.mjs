// Loaded before a program: kills it at the nth call that changes the disk, or counts those calls.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const names = [
	'open',
	'write',
	'rename',
	'unlink',
	'symlink',
	'chmod',
	'rmdir',
	'rm',
	'mkdir',
	'link',
	'fsync',
	'appendFile',
	'writeFile',
];
const at = Number(process.env.KILL_AT ?? 0);
const counted = process.env.KILL_COUNT;
let calls = 0;

for (const name of names.map((one) => `${one}Sync`)) {
	const original = fs[name];
	fs[name] = (...args) => {
		calls += 1;
		if (calls === at) {
			process.kill(process.pid, 'SIGKILL');
			for (;;); // nothing may happen between the signal and the end
		}
		return original(...args);
	};
}
syncBuiltinESMExports();
if (counted) process.on('exit', () => fs.appendFileSync(counted, `${calls}\n`));
