/** Path of the service for older versions of the clients. */
export const formerService = '/api/actions_pipeline'
