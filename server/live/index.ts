/** Live updates for open pages, limited to what each viewer is allowed to see. */
export { endStreams, startStreams } from './follow'
