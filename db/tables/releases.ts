import type { Generated } from 'kysely'

/** A release. Unique by repository and tag, case-insensitively. */
export interface ReleasesTable {
  id: Generated<number>
  repository_id: number
  /** Who published it or wrote the draft; null if the account was deleted. */
  publisher_id: number | null
  tag_name: string
  /** The branch or commit to create the tag from. */
  target: Generated<string>
  /** The commit of the tag; empty for a draft. */
  sha: Generated<string>
  title: Generated<string>
  body: Generated<string>
  /** For a draft, the message of the future tag; empty for a lightweight tag. */
  tag_message: Generated<string>
  is_draft: Generated<boolean>
  is_prerelease: Generated<boolean>
  /** For a published release, the publication time. */
  created_at: Generated<Date>
  updated_at: Generated<Date>
}
