/** Secrets and variables of people, organizations, repositories and the site, which the jobs of workflows are given. */

export { secretsFor, variablesFor } from './for-jobs'
