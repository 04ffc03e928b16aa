/** `reprise handoff SESSION --to AGENT`: flags and report, and --certify, which has the real client open the result. The work is done in src/move. */
import { Option } from 'commander';
import { report } from '../../client/loss-words.ts';
import { compact } from '../../model/index.ts';
import {
	agents,
	type Certificate,
	certify,
	clients,
	type HandedOff,
	handOff,
	oraclesFolder,
} from '../../move/index.ts';
import { sessionPath } from '../../store/find/find-session.ts';
import { complain, print, printJson, printProse } from '../../terminal/print.ts';
import type { Define } from '../commands.ts';
import { watched } from '../progress.ts';
import { sessionHelp } from '../session-argument.ts';

interface Options {
	readonly to: string;
	readonly cwd?: string;
	readonly mapTools?: boolean;
	readonly certify?: boolean;
	readonly json?: boolean;
}

export const define: Define = (command, outcome) => {
	command
		.argument('<session>', sessionHelp)
		.addOption(
			new Option('--to <agent>', 'the agent that takes over')
				.choices(agents.map((agent) => agent.name))
				.makeOptionMandatory(),
		)
		.option('--cwd <folder>', 'the project’s folder, if it is not the one that the session names')
		.option('--map-tools', 'rename tool calls to the agent’s own tools, where they match exactly')
		.option('--certify', 'run the real client on it in a throw-away home (ORACLES names the folder of the programs)')
		.option('--json', 'print one JSON document')
		.addHelpText(
			'after',
			'\nThe session as it was is kept for the way back, unless it is of a kind that Reprise only reads (OpenClaw’s database): `reprise return --list` shows it, `--forget` deletes it.\n\nExample:\n  reprise handoff last --to pi',
		)
		.action(async (session: string, options: Options) => {
			const { to, cwd, mapTools } = options;
			const path = sessionPath(session, { writes: true });
			const made = await watched(outcome, (how) => handOff(path, { to, ...how, ...compact({ cwd, mapTools }) }));
			if (!made) return;
			const certificates = options.certify ? await certificatesOf(made) : undefined;
			if (certificates?.some((one) => !one.opened || one.equal === false)) outcome.code = 1;
			for (const note of made.notes) complain(note);
			if (options.json) printJson(document(made, certificates));
			else {
				const name = `session ${made.agent.name}:${made.id}`;
				printProse([name, ...made.out, ...report(made.losses, made.wayBack), ...lines(certificates), ''].join('\n'));
				// Whole, however long: it is there to be copied.
				print(made.command);
			}
		});
};

async function certificatesOf(made: HandedOff): Promise<readonly Certificate[]> {
	const oracles = oraclesFolder(process.env);
	const [path] = made.out;
	if (oracles === undefined || path === undefined) {
		complain('not certified: ORACLES does not name the folder of the programs that run the clients');
		return [];
	}
	const found: Certificate[] = [];
	for (const client of clients.filter((one) => one.agent === made.agent.name)) {
		found.push(await certify(oracles, client, { path, cwd: made.cwd }));
	}
	if (found.length === 0) complain(`not certified: no program runs ${made.agent.name} here`);
	return found;
}

function lines(certificates: readonly Certificate[] = []): readonly string[] {
	return certificates.map((one) => {
		if (!one.opened) return `${one.client} did not open it: ${one.note ?? 'no reason given'}`;
		const sent = one.equal === undefined ? '' : one.equal ? ' and sent what it should' : `, but ${one.note ?? ''}`;
		const rejected = one.rejected === undefined ? '' : `; the model’s API would refuse it: ${one.rejected}`;
		return `${one.client} opened it${sent}${rejected}`;
	});
}

function document(made: HandedOff, certificates: readonly Certificate[] | undefined): object {
	const { id, out, losses, command, cwd } = made;
	return { out, losses, id, agent: made.agent.name, cwd, command, ...(certificates ? { certificates } : {}) };
}
