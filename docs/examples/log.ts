/** Byte logs: one writer at a time, appended only to what it knows. A backend of your own is proved by the same checks. */
import { LogConflict, logConformance, memoryLog } from 'reprise/log';

const log = memoryLog();
await using writer = await log.writer('notes');
await writer.append(Buffer.from('first\n'));
const conflict = await writer.append(Buffer.from('second\n'), { expect: 0 }).catch((error: unknown) => error);
console.log(conflict instanceof LogConflict ? 'somebody else had written: nothing was' : 'appended');
console.log(`${(await log.stat('notes'))?.length} bytes`);

const open = async () => {
	const bench = memoryLog();
	return { log: bench, other: bench, prefix: '', close: () => bench.close() };
};
let passed = 0;
for (const check of logConformance(open)) {
	await check.run();
	passed += 1;
}
console.log(`${passed} checks passed`);
