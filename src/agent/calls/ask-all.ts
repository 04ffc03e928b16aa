/** Asks about a call: the person, and at the same time the hooks that may answer in the person's place. The first answer counts. */
import { compact } from '../../model/index.ts';
import type { AgentConfig } from '../config.ts';
import type { HookPoints, PendingCall, Verdict } from '../contracts.ts';
import { type HookScene, runHooks } from '../hooks/run-hooks.ts';

export interface Asked {
	/** Undefined where nobody has answered. */
	readonly verdict?: Verdict | undefined;
	readonly byHook: boolean;
}

export function hasHook({ hooks = [] }: AgentConfig, point: keyof HookPoints): boolean {
	return hooks.some(({ on }) => on === point);
}

/** `isGuarded`: only a person may allow it. */
export async function askAll(call: PendingCall, scene: HookScene, isGuarded: () => Promise<boolean>): Promise<Asked> {
	const { config, signal } = scene;
	const message = `Reprise needs your permission to use ${call.tool.name}`;
	if (!config.ask) return { verdict: await byHooks(call, scene, isGuarded), byHook: true };
	const notified = runHooks(scene, 'Notification', { kind: 'permission_prompt', message });
	if (!hasHook(config, 'PermissionRequest')) {
		const [verdict] = await Promise.all([config.ask(call, signal), notified]);
		return { verdict, byHook: false };
	}
	// Once somebody has answered, the questions that are still open are withdrawn.
	const over = new AbortController();
	const until = AbortSignal.any([signal, over.signal]);
	const person = config.ask(call, until).then((verdict): Asked => ({ verdict, byHook: false }));
	const hooks = byHooks(call, { ...scene, signal: until }, isGuarded);
	try {
		return await Promise.race([
			person,
			hooks.then(async (verdict) => (verdict ? { verdict, byHook: true } : await person)),
		]);
	} finally {
		over.abort();
		await Promise.all([hooks, notified]);
	}
}

/** What the hooks say: a denial of one is not undone by another. */
async function byHooks(
	call: PendingCall,
	scene: HookScene,
	isGuarded: () => Promise<boolean>,
): Promise<Verdict | undefined> {
	if (!hasHook(scene.config, 'PermissionRequest')) return undefined;
	const suggested = await call.suggest?.();
	const hooked = await runHooks(scene, 'PermissionRequest', { call, ...compact({ suggested }) });
	const verdicts = hooked.flatMap(({ verdict }) => verdict ?? []);
	const denied = verdicts.find(({ allow }) => !allow);
	const allowed = verdicts.find((verdict) => verdict.allow && (!call.tool.asks || verdict.input !== undefined));
	return denied ?? (allowed && !(await isGuarded()) ? allowed : undefined);
}
