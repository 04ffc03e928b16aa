/** Whoever sits at a terminal is asked once whether a folder is trusted, and sees all that would count. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { trust } from '../support/permission-run.ts';
import { hasTerminals, Terminal } from '../support/terminal.ts';

let stage: ClientStage;
beforeEach(() => {
	stage = new ClientStage();
});
afterEach(() => stage[Symbol.dispose]());

function put(path: string, value: unknown): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
}

function bring(): void {
	put(stage.file('.claude/settings.json'), {
		permissions: { allow: ['Bash(touch:*)'] },
		hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'touch hooked; echo \u001b[2Kharmless' }] }] },
		env: { WHO: 'project' },
		apiKeyHelper: 'cat key | tr a b',
	});
	put(stage.file('.mcp.json'), {
		mcpServers: { tickets: { command: 'x', args: ['-c', 'touch it'], env: { A: 'b' } } },
	});
	put(stage.file('.claude/commands/greet.md'), 'Greet.');
}

const call = { content: [{ type: 'tool_use' as const, name: 'Bash', input: { command: 'touch made' } }] };

function start(...flags: readonly string[]): Terminal {
	const script = stage.script([call, { text: 'That was all.' }]);
	return new Terminal(stage, ['-p', 'go', '--script', script, ...flags], { NO_COLOR: '1' });
}

async function headless(...flags: readonly string[]): Promise<string> {
	const script = stage.script([{ text: 'x' }]);
	return (await stage.run(['-p', 'go', '--script', script, ...flags])).err;
}

const question = 'Do you trust it?';

describe.skipIf(!hasTerminals)('the question of trust', () => {
	it('names everything that waits, and yes makes it count, now and later', async () => {
		bring();
		await using terminal = start();
		await terminal.shows(question);
		expect(existsSync(stage.file('hooked'))).toBe(false);
		for (const shown of [
			'  allow rules\n  │ Bash(touch:*)',
			'  hooks\n  │ SessionStart touch hooked; echo \\x1b[2Kharmless',
			'  variables\n  │ WHO=project',
			'  helpers\n  │ apiKeyHelper: cat key | tr a b',
			'  MCP servers\n  │ tickets: x -c "touch it" {"env":{"A":"b"}}',
			'  commands\n  │ /greet',
		])
			expect(terminal.text).toContain(shown);
		terminal.type('y\n');
		await terminal.shows('That was all.');
		expect([existsSync(stage.file('hooked')), existsSync(stage.file('made'))]).toEqual([true, true]);
		const kept = JSON.parse(readFileSync(join(stage.own, 'trust.json'), 'utf8')) as { folders: object };
		expect(kept.folders).toMatchObject({ [stage.cwd]: { trusted: true } });
		await using again = start();
		await again.shows('That was all.');
		expect(again.text).not.toContain(question);
		expect(await headless()).not.toContain('is not trusted');
	});

	it('no is kept as well: nobody is asked again, and one line says what does not count', async () => {
		bring();
		await using terminal = start('--disallowedTools', 'Bash');
		await terminal.shows(question);
		terminal.type('\n');
		await terminal.shows('That was all.');
		expect(existsSync(stage.file('hooked'))).toBe(false);
		await using again = start('--disallowedTools', 'Bash');
		await again.shows('That was all.');
		expect(again.text).not.toContain(question);
		expect(again.text).toMatch(/is not\s+trusted/);
		expect(existsSync(stage.file('hooked'))).toBe(false);
	});

	it('is not asked where Claude Code knows the answer, where --trust is given, and where nothing waits', async () => {
		await using plain = start('--disallowedTools', 'Bash');
		await plain.shows('That was all.');
		bring();
		await using flag = start('--trust');
		await flag.shows('That was all.');
		trust(stage);
		await using known = start();
		await known.shows('That was all.');
		for (const { text } of [plain, flag, known]) expect(text).not.toContain(question);
		expect(existsSync(join(stage.own, 'trust.json'))).toBe(false);
	});
});

it('without a terminal nobody is asked, and --trust is for this run only', async () => {
	bring();
	expect(await headless('--trust')).not.toContain('is not trusted');
	expect(existsSync(stage.file('hooked'))).toBe(true);
	const err = await headless();
	const line = `${stage.cwd} is not trusted, so what it brings does not count: allow rules (Bash(touch:*)); hooks (`;
	expect(err.split(line)).toHaveLength(2);
	expect(err).toMatch(
		/variables \(WHO\); helpers \(apiKeyHelper\); MCP servers \(tickets\); commands \(\/greet\)\. --trust makes it count\n$/,
	);
	expect(err.match(/tickets/g)).toHaveLength(1);
});

it('a rule that is too long for the line is cut within its brackets', async () => {
	put(stage.file('.claude/settings.json'), { permissions: { allow: [`Bash(echo ${'x'.repeat(80)})`] } });
	expect(await headless()).toMatch(/allow rules \(Bash\(echo x+…\)\)\. --trust/);
});
