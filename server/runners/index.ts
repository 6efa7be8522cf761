/** Runners: registration, state, authentication, and assignment of jobs. */

export type { AssignedTask } from './assign/content'
export { fetchTask } from './assign/fetch-task'
export { authenticateRunner } from './authenticate'
export { declareRunner } from './declare'
export { registerRunner } from './register'
export { replaceRegistrationToken } from './registration'
export type { RunnerRow } from './store'
