import type { Generated } from 'kysely'

/** A release, which is one with its tag; unique by repository and tag in any case. */
export interface ReleasesTable {
  id: Generated<number>
  repository_id: number
  /** Who published it, or wrote the draft; null once the account is gone. */
  publisher_id: number | null
  tag_name: string
  /** The branch or commit that its tag is made from. */
  target: Generated<string>
  /** The commit of its tag; empty for a draft. */
  sha: Generated<string>
  title: Generated<string>
  body: Generated<string>
  /** Of a draft, what its tag will say; a tag without is not an annotated one. */
  tag_message: Generated<string>
  is_draft: Generated<boolean>
  is_prerelease: Generated<boolean>
  /** Of a published one, when that was. */
  created_at: Generated<Date>
  updated_at: Generated<Date>
}
