/** Default label of runners in the setup instructions, and of the proposed first workflow. */
export const defaultLabel = 'linux'
