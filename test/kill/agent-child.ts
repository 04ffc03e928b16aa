/** An agent that works in a session, new or not, until it is killed: at a point of the disk, or at one of its events. */
import { existsSync, mkdirSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { AgentConfig } from '../../src/agent/config.ts';
import type { Provider } from '../../src/agent/contracts.ts';
import { resumeConversation } from '../../src/agent/recording/resume.ts';
import { ReplyBuilder } from '../../src/agent/replies/reply-builder.ts';
import { newConversation, startRun } from '../../src/agent/run.ts';
import { nodeHost } from '../../src/host/node-host.ts';
import type { Entry, FormatId } from '../../src/model/index.ts';
import { createHandle } from '../../src/store/handle/create.ts';
import { openHandle, type SessionHandle } from '../../src/store/handle/handle.ts';
import { builtinTools } from '../../src/tools/index.ts';
import { dieAfterBytes } from '../support/mortal.ts';
import { marksIn } from './agent-marks.ts';

const [format = '', path = '', home = '', first = '0', bytes = '0', events = '0'] = process.argv.slice(2);

/** Thinks, calls two tools and answers, a piece at a time: there are many moments to die in. */
function model(turn: () => number): Provider {
	const source = { api: 'anthropic-messages', provider: 'anthropic', model: 'claude-sonnet-4-5' };
	let asked = 0;
	return {
		id: source.provider,
		api: source.api,
		async *stream() {
			const reply = new ReplyBuilder({ ...source, now: Date.now() });
			const n = turn();
			const answers = asked % 2 === 1;
			asked += 1;
			yield reply.start();
			yield { type: 'response', id: `msg_${n}_${answers ? 'b' : 'a'}` };
			reply.count({ input: 5, output: 1 });
			yield reply.textStart();
			for (const piece of answers ? ['re ', `#${n}`] : ['looking ', `#${n}`]) {
				await setImmediate();
				yield reply.textDelta(0, piece);
			}
			yield reply.textEnd(0);
			if (!answers) {
				for (const [index, name] of ['Read', 'Bash'].entries()) {
					yield reply.callStart(`toolu_${n}_${index}`, name);
					await setImmediate();
					const input = name === 'Read' ? { file_path: 'a.txt' } : { command: `echo out ${n}` };
					yield reply.callEnd(index + 1, { arguments: input });
				}
			}
			reply.count({ output: 9 });
			yield reply.done(answers ? 'stop' : 'toolUse');
		},
	};
}

function die(): never {
	process.kill(process.pid, 'SIGKILL');
	for (;;); // nothing may happen between the signal and the end
}

async function open(): Promise<SessionHandle> {
	const machine = { platform: 'linux', home, env: { REPRISE_HOME: home } } as const;
	if (existsSync(path)) return await openHandle(path, { machine });
	return await createHandle({ format: format as FormatId, path, cwd: dirname(path), machine });
}

// Without arguments it only has its code compiled, for all that come.
if (path !== '') {
	const cwd = join(home, 'project');
	mkdirSync(cwd, { recursive: true });
	writeFileSync(join(cwd, 'a.txt'), 'hello\n');
	const handle = await open();
	const conversation = existsSync(path) ? resumeConversation(path).conversation : newConversation();
	if (Number(bytes) > 0) dieAfterBytes(Number(bytes));
	let left = Number(events) || Number.POSITIVE_INFINITY;
	const live = (): void => {
		left -= 1;
		if (left <= 0) die();
	};
	let n = Number(first);
	const say = (entries: readonly Entry[]): void => {
		for (const mark of marksIn(entries)) writeSync(1, `${mark}\n`);
	};
	const config: AgentConfig = {
		provider: model(() => n),
		model: 'claude-sonnet-4-5',
		system: '',
		tools: builtinTools,
		cwd,
		mode: 'bypassPermissions',
		host: nodeHost(),
		observe(event) {
			if (event.type === 'entries') say(event.entries);
			live();
		},
	};
	for (; ; n += 1) {
		await startRun(handle, conversation, `#${n}`, config, { onEvent: live }).result;
		writeSync(1, `done ${n}\n`);
	}
}
