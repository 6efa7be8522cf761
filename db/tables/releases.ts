import type { ColumnType, Generated } from 'kysely'

/** A release. Its tag name is unique within the repository, ignoring case. */
export interface ReleasesTable {
  id: Generated<number>
  repository_id: number
  /** User who published the release or wrote the draft; null if the account was deleted. */
  publisher_id: number | null
  tag_name: string
  /** Branch or commit from which to create the tag. */
  target: Generated<string>
  /** Commit of the tag; empty for a draft. */
  sha: Generated<string>
  title: Generated<string>
  body: Generated<string>
  /** For a draft, the message of the tag to create; empty for a lightweight tag. */
  tag_message: Generated<string>
  is_draft: Generated<boolean>
  is_prerelease: Generated<boolean>
  /** Run whose job published the release, or wrote the draft, with its token; null if none did. */
  by_run: ColumnType<{ number: number; workflow: string } | null, string | null | undefined, string | null>
  /** Whether the release is a draft only because its tag was deleted, so that the tag publishes it again. */
  lost_tag: Generated<boolean>
  /** For a published release, the publication time. */
  created_at: Generated<Date>
  updated_at: Generated<Date>
}
