/** What happens, told to open pages as it happens, each only what its viewer may know. */
export { endStreams, startStreams } from './follow'
