/** Live updates for open pages, filtered by what each viewer may know. */
export { endStreams, startStreams } from './follow'
