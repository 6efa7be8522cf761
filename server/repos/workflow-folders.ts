/** Folders with workflow files, in the order of precedence: only the first that has any is read. */
export const workflowFolders = ['.gitea/workflows', '.github/workflows'] as const
