/** The label of runners that are set up as proposed, and of the first workflow that is proposed. */
export const defaultLabel = 'linux'
