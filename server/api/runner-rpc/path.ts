/** Path of the services that runners call. */
export const runnerRpcPath = '/api/actions'
