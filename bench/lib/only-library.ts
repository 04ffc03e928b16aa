/** A process that loads the library that the console is drawn with, and nothing else: a console cannot be there sooner. */
import '@earendil-works/pi-tui';

console.log('loaded');
