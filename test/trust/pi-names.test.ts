/** pi and OpenClaw share a format: either name is taken for it, and a session is called by one name everywhere. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newStage } from '../support/new-stage.ts';

const samples = join(import.meta.dirname, '../../samples');

it.each(['pi', 'openclaw'])('%s names the format wherever one can be given', async (name) => {
	const stage = newStage();
	const out = stage.file('converted.jsonl');
	const converted = await stage.run(['convert', join(samples, 'clido.jsonl'), '--to', name, '-o', out]);
	expect(converted).toMatchObject({ code: 0, err: '' });
	expect(JSON.parse((await stage.run(['check', out, '--json'])).out)).toMatchObject({ format: 'openclaw', ok: true });
	expect(await stage.run(['repair', out, '--format', name])).toMatchObject({ code: 0 });
	const script = stage.script([{ text: 'done' }]);
	const asked = await stage.run(['-p', 'Paint the shed', '--script', script, '--session-format', name]);
	expect(asked).toMatchObject({ code: 0, out: 'done\n' });
	expect(await stage.run(['ls', '--agent', name])).toMatchObject({ code: 0 });
	const [listed] = JSON.parse((await stage.run(['ls', '--json'])).out).sessions;
	expect((await stage.run(['show', `${name}:${listed.id}`])).out).toContain('Paint the shed');
});

it('a session of pi is called pi by ls, show and inspect; its format is openclaw in JSON', async () => {
	const stage = newStage();
	await stage.run(['-p', 'Paint the shed', '--script', stage.script([{ text: 'done' }]), '--session-format', 'pi']);
	expect((await stage.run(['ls'])).out).toMatch(/\bpi\b/);
	expect((await stage.run(['show', 'last'])).out).toMatch(/^pi · /m);
	expect((await stage.run(['inspect', 'last'])).out).toMatch(/^agent +pi$/m);
	expect(JSON.parse((await stage.run(['inspect', 'last', '--json'])).out)).toMatchObject({ format: 'openclaw' });
	expect(JSON.parse((await stage.run(['show', 'last', '--json'])).out)).toMatchObject({ format: 'openclaw' });
});

it('a format that nobody writes is refused with the names that there are', async () => {
	const stage = newStage();
	writeFileSync(stage.file('a.jsonl'), readFileSync(join(samples, 'clido.jsonl')));
	const refused = await stage.run(['convert', 'a.jsonl', '--to', 'emacs', '-o', 'b.jsonl']);
	expect(refused.code).toBe(2);
	expect(refused.err).toContain('claude-code, clido, cline, pi, openclaw');
});
