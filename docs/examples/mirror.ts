/** Every session of this machine, kept in a store elsewhere: what `reprise mirror --all` does. */
import { listSessions } from 'reprise';
import { mirrorSessions, openStore } from 'reprise/session-store';

const to = openStore(process.argv[2] ?? 'sqlite:sessions-copy.db'); // or postgres://…, or a folder
const done = await mirrorSessions({
	to,
	sessions: () => listSessions(), // asked again at every look; name fewer to keep fewer
	// follow: true goes on with what is written from now on, until `signal` aborts.
	tell(event) {
		if (event.kind === 'waiting') console.error(`${to.shown} is away: ${event.why}`);
		if (event.kind === 'unread') console.error(`${event.path} is left out: ${event.why}`);
	},
});
await to.store.close();
console.log(done.failed ?? `${to.shown}: ${done.entries} new entries of ${done.sessions} sessions`);
