import { z } from 'zod'
import { line, treePath } from '@/server/kernel/wire'
import { RepoPath } from '@/server/repos/schema'

/** A path that begins with a branch. */
export const EditPath = RepoPath.extend({ path: treePath })

const EditedFile = z.object({
  /** ID of the blob; of the commit for a submodule. */
  id: z.string(),
  size: z.int(),
  /** Null if it cannot be edited as text. */
  text: z.string().nullable(),
  /** Why it cannot be edited as text. Symbolic links and submodules cannot be moved or deleted either. */
  obstacle: z.enum(['binary', 'large', 'encoding', 'symlink', 'submodule']).nullable(),
})
export type EditedFile = z.output<typeof EditedFile>

export const EditPage = z.object({
  branch: z.string(),
  /** Null if the repository is empty. */
  commit: z.string().nullable(),
  path: z.string(),
  /** The file at the path; null for a directory, and if there is nothing. */
  file: EditedFile.nullable(),
  isDirectory: z.boolean(),
  /** Name for a new branch, which no branch has. */
  suggested_branch: z.string(),
  /** Whom a commit names, such as `Ada <ada@example.com>`. */
  signature: z.string(),
})
export type EditPage = z.output<typeof EditPage>

export const FileStateInput = RepoPath.extend({ branch: line(1000), path: line(4096) })

export const FileState = z.object({
  /** ID of the branch's newest commit; null if the branch does not exist. */
  commit: z.string().nullable(),
  /** ID of the file's blob; null if it does not exist. */
  id: z.string().nullable(),
})
export type FileState = z.output<typeof FileState>

// What is longer is not rendered.
const maxPreview = 512 * 1024

export const PreviewInput = FileStateInput.extend({ text: z.string().max(maxPreview) })
/** HTML that is safe to embed, and whether it contains invisible characters. */
export const Preview = z.object({ html: z.string(), hasInvisible: z.boolean() })

export const ExistingFilesInput = FileStateInput.extend({
  paths: z.array(line(4096).min(1)).max(1000),
}).omit({ path: true })
/** Those of the paths at which there is something. */
export const ExistingFiles = z.array(z.string())
