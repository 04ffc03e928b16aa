/** How much a store holds of transcripts: what it counts itself, or for one that does not count, 1 where a transcript is listed. */
import type { ExactStore, SessionKey } from '../contract.ts';

/** In the order of the keys; 0 where there is nothing. No entry is loaded for it. */
export async function heldBy(store: ExactStore, keys: readonly SessionKey[]): Promise<readonly number[]> {
	if (store.sizes) return await store.sizes(keys);
	const lists = new Map<string, Promise<ReadonlySet<string>>>();
	const listed = (name: string, list: () => Promise<readonly string[]>): Promise<ReadonlySet<string>> => {
		const found = lists.get(name) ?? list().then((all) => new Set(all));
		lists.set(name, found);
		return found;
	};
	const held: number[] = [];
	for (const { projectKey, sessionId, subpath } of keys) {
		const all =
			subpath === undefined
				? await listed(JSON.stringify([projectKey]), async () =>
						(await store.listSessions(projectKey)).map((one) => one.sessionId),
					)
				: await listed(JSON.stringify([projectKey, sessionId]), () => store.listSubkeys({ projectKey, sessionId }));
		held.push(all.has(subpath ?? sessionId) ? 1 : 0);
	}
	return held;
}
