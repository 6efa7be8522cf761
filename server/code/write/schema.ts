import { z } from 'zod'
import { line, paragraph, treePath, wireTimeSchema } from '@/server/kernel/wire'
import { Verification } from '@/server/repos/refs/schema'
import { RepoPath } from '@/server/repos/schema'
import { Contents } from '../schema'

const branchName = line(1024)
const id = line(64)

/** A text within an object or list that can be left out, and for which some clients send null. */
const orNull = (text: z.ZodString): z.ZodType<string, string | null | undefined> =>
  text
    .nullable()
    .transform(value => value ?? '')
    .default('')
    .meta({ ...text.meta(), override: { type: 'string', maxLength: text.maxLength ?? undefined } })

const Identity = z
  .object({
    name: orNull(z.string().max(100)),
    email: orNull(z.string().max(254)),
  })
  .meta({ id: 'Identity' })

const time = orNull(
  z
    .string()
    .refine(
      text => text === '' || !Number.isNaN(Date.parse(text)),
      'Send a time such as 2026-01-31T12:00:00Z.',
    ),
).meta({ override: { type: 'string', format: 'date-time' } })

const CommitDates = z.object({ author: time, committer: time }).meta({ id: 'CommitDateOptions' })

const common = {
  message: paragraph(65_536).default('').describe('Names the changed files by default.'),
  branch: branchName.default('').describe('Branch to change, by default the default branch.'),
  new_branch: branchName.default('').describe('Branch to create from `branch` for the commit.'),
  author: Identity.optional().describe('By default the committer, or else you.'),
  committer: Identity.optional().describe('By default the author, or else you.'),
  dates: CommitDates.optional(),
  force_push: z.boolean().default(false).describe('Whether `new_branch` can exist, and is moved.'),
  signoff: z.boolean().default(false).describe('Whether to add a Signed-off-by line of the committer.'),
}

const base64 = { description: 'Content in Base64.', override: { type: 'string', format: 'byte' } } as const
const content = z.string().meta(base64)
const presentPath = line(500).describe('Present path of a file that is moved.')

const CreateFileOptions = z.object({ ...common, content }).meta({ id: 'CreateFileOptions' })
const UpdateFileOptions = z
  .object({
    ...common,
    content: content.optional(),
    sha: id.default('').describe('ID of the present blob. Without it, the file is created.'),
    from_path: presentPath.default(''),
  })
  .meta({ id: 'UpdateFileOptions' })
const DeleteFileOptions = z
  .object({ ...common, sha: id.default('').describe('ID of the present blob; required.') })
  .meta({ id: 'DeleteFileOptions' })

// A commit of more files is made with Git.
const maxFiles = 1000
const ChangeFile = z
  .object({
    operation: z
      .enum(['create', 'update', 'upload', 'rename', 'delete'])
      .describe(
        '`upload` creates or replaces a file, whatever it contains. `rename` moves it from `from_path`.',
      ),
    path: line(4096).min(1),
    content: content
      .nullable()
      .transform(text => text ?? undefined)
      .optional()
      .meta(base64),
    sha: orNull(id),
    from_path: orNull(presentPath),
  })
  .meta({ id: 'ChangeFileOperation' })
export type ChangeFile = z.output<typeof ChangeFile>

const ChangeFilesOptions = z
  .object({ ...common, files: z.array(ChangeFile).min(1, 'Send at least one file.').max(maxFiles) })
  .meta({ id: 'ChangeFilesOptions' })
/** What requests to change one file or several have in common: where and how to commit. */
export type CommitOptions = Omit<z.output<typeof ChangeFilesOptions>, 'files'>

export const FilePath = RepoPath.extend({ path: treePath })
export const CreateFileInput = FilePath.extend(CreateFileOptions.shape)
export const UpdateFileInput = FilePath.extend(UpdateFileOptions.shape)
export const DeleteFileInput = FilePath.extend(DeleteFileOptions.shape)
export const ChangeFilesInput = RepoPath.extend(ChangeFilesOptions.shape)

const CommitMeta = z.object({ url: z.string(), sha: z.string(), created: wireTimeSchema })
const CommitUser = z.object({ name: z.string(), email: z.string(), date: wireTimeSchema })

const FileCommit = z
  .object({
    ...CommitMeta.shape,
    html_url: z.string(),
    author: CommitUser,
    committer: CommitUser,
    parents: z.array(CommitMeta),
    message: z.string(),
    tree: CommitMeta,
  })
  .meta({ id: 'FileCommitResponse' })
export type FileCommit = z.output<typeof FileCommit>

const result = { commit: FileCommit, verification: Verification }
export const FileResponse = z.object({ content: Contents, ...result }).meta({ id: 'FileResponse' })
export const FileDeleteResponse = z
  .object({ content: z.null(), ...result })
  .meta({ id: 'FileDeleteResponse' })
export const FilesResponse = z
  .object({ files: z.array(Contents.nullable()), ...result })
  .meta({ id: 'FilesResponse' })
export type FilesResponse = z.output<typeof FilesResponse>
