/** Secrets and variables of people, organizations, repositories and the site, for the jobs of workflows. */

export { secretsFor, variablesFor } from './for-jobs'
