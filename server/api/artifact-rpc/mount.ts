import { isBelow, type Mount } from '../mount'
import { presentTwirpError } from './errors'
import { formerService } from './path'

/** Serves the Twirp methods that jobs use to exchange artifacts. */
export const artifactRpcMount: Mount = {
  name: 'artifact-rpc',
  match: path => isBelow(path, '/twirp') || isBelow(path, formerService),
  refuse: (error, _, around) => presentTwirpError(error, around),
  createHandler: services => async (call, connection) => {
    // Loaded by the first call, because the library for protobuf takes megabytes of memory.
    const { answerJob } = await import('./handler')
    return await answerJob(services, call, connection)
  },
}
