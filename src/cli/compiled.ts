/** Where Node keeps its compiled code from one start to the next (`compiled` in our data folder): that saves short commands up to a fifth of their time. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { thisMachine } from '../store/find/this-machine.ts';
import { closeDataFolder, dataFolder } from '../store/own-data/data-folder.ts';

/** Where it cannot be written, everything is compiled anew, as without it. */
export function keepCompiled(): void {
	closeDataFolder(thisMachine()); // the cache would make it for everybody
	enableCompileCache(join(dataFolder(thisMachine()), 'compiled'));
}
