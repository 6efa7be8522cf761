/** Maximum number of jobs in a run. */
export const maxJobs = 1000
export const maxMatrixJobs = 256
export const maxNameLength = 255
export const maxLabels = 50
export const maxNeeds = 256
/** Maximum number of needs of all jobs of a run together. */
export const maxAllNeeds = 20_000
export const maxConditionLength = 4096
/** Maximum length of all matrices of a run together, as JSON. */
export const maxMatrixLength = 2 * 1024 * 1024
/** Maximum length of what a call of a reusable workflow passes on, as JSON: its inputs, and what its secrets read. */
export const maxCallLength = 65_535
/** Maximum length of the name of a concurrency group. */
export const maxGroupLength = 400
