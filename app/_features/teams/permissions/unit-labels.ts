import type { AccessMode } from '@/server/access/access-mode'
import type { Unit } from '@/server/access/units'

/** What each part of a repository is called, and what lies in it. */
export const unitLabels: Record<Unit, { name: string; about: string }> = {
  'repo.code': { name: 'Code', about: 'Files, branches and tags' },
  'repo.issues': { name: 'Issues', about: 'Reports and questions' },
  'repo.pulls': { name: 'Pull requests', about: 'Proposed changes' },
  'repo.releases': { name: 'Releases', about: 'Versions and their files' },
  'repo.wiki': { name: 'Wiki', about: 'Pages of the repository' },
  'repo.ext_wiki': { name: 'External wiki', about: 'On another site: look only' },
  'repo.ext_issues': { name: 'External issues', about: 'On another site: look only' },
  'repo.projects': { name: 'Projects', about: 'Boards and their cards' },
  'repo.packages': { name: 'Packages', about: 'Published packages' },
  'repo.actions': { name: 'Actions', about: 'Workflow runs and artifacts' },
}

export const modeLabels: Record<AccessMode, string> = {
  none: 'None',
  read: 'Read',
  write: 'Write',
  admin: 'Admin',
  owner: 'Owner',
}
