import { isBelow, type Mount } from '../mount'
import { runnerRpcPath } from './path'

// Loaded by the first call, because the libraries for Connect take megabytes of memory.
const load = () => import('./handler')

/** Serves the Connect methods by which runners take tasks and report about them. */
export const runnerRpcMount: Mount = {
  name: 'runner-rpc',
  match: path => isBelow(path, runnerRpcPath),
  refuse: async (error, _, around) => (await load()).presentConnectError(error, around),
  createHandler: services => async (call, connection) =>
    await (await load()).answerRunner(services, call, connection),
}
