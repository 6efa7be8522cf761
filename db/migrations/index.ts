import type { Migration } from 'kysely'
import { up as accountsAndKeys } from './0001-accounts-and-keys'
import { up as organizationsAndRepositories } from './0002-organizations-and-repositories'
import { up as tokenExpiry } from './0003-token-expiry'
import { up as searchSettingsAndFormerNames } from './0004-search-settings-and-former-names'
import { up as tagCount } from './0005-tag-count'
import { up as hiddenActivity } from './0006-hidden-activity'
import { up as eventOutbox } from './0007-event-outbox'
import { up as eventTimes } from './0008-event-times'
import { up as hooks } from './0009-hooks'
import { up as releases } from './0010-releases'
import { up as actions } from './0011-actions'
import { up as runners } from './0012-runners'
import { up as workflowTriggers } from './0013-workflow-triggers'
import { up as workflowSecrets } from './0014-workflow-secrets'
import { up as outputsAndCancellation } from './0015-outputs-and-cancellation'
import { up as jobQueues } from './0016-job-queues'
import { up as runsOfWorkflows } from './0017-runs-of-workflows'
import { up as ssh } from './0018-ssh'
import { up as finding } from './0019-finding'
import { up as repositoryTransfers } from './0020-repository-transfers'
import { up as administration } from './0021-administration'
import { up as teamLists } from './0022-team-lists'
import { up as repositoryLists } from './0023-repository-lists'
import { up as ownersOfRuns } from './0024-owners-of-runs'
import { up as eventTimesAndLockOrder } from './0026-event-times-and-lock-order'
import { up as oldestWriter } from './0027-oldest-writer'
import { up as siteMarks } from './0028-site-marks'
import { up as accountLimits } from './0029-account-limits'
import { up as inputsOfRuns } from './0033-inputs-of-runs'
import { up as runWarnings } from './0034-run-warnings'
import { up as jobTemplates } from './0035-job-templates'
import { up as jobPermissions } from './0036-job-permissions'
import { up as workflowEvents } from './0037-workflow-events'
import { up as reusableWorkflows } from './0038-reusable-workflows'
import { up as releasesByJobs } from './0039-releases-by-jobs'
import { up as groupsOfCalledWorkflows } from './0040-groups-of-called-workflows'
import { up as backups } from './0041-backups'
import { up as jobsThatStopOthers } from './0042-jobs-that-stop-others'
import { up as commitStatuses } from './0043-commit-statuses'
import { up as labelsAndTopics } from './0044-labels-and-topics'
import { up as renamedBranchesAndBadges } from './0045-renamed-branches-and-badges'
import { up as notifications } from './0046-notifications'

/** A migration, and whether programs that do not know it may go on beside it. */
export interface SchemaMigration extends Migration {
  /**
   * True if what such a program writes would be wrong, or lost on those who know the migration: from then on the database
   * takes no changes from it. A migration that only adds what older programs can leave alone breaks none.
   */
  breaksOlder: boolean
}

/** In order of their names; a static map, so that bundling keeps them. */
export const migrations: Record<string, SchemaMigration> = {
  '0001-accounts-and-keys': { up: accountsAndKeys, breaksOlder: false },
  '0002-organizations-and-repositories': { up: organizationsAndRepositories, breaksOlder: true },
  '0003-token-expiry': { up: tokenExpiry, breaksOlder: false },
  '0004-search-settings-and-former-names': { up: searchSettingsAndFormerNames, breaksOlder: false },
  '0005-tag-count': { up: tagCount, breaksOlder: false },
  '0006-hidden-activity': { up: hiddenActivity, breaksOlder: false },
  '0007-event-outbox': { up: eventOutbox, breaksOlder: true },
  '0008-event-times': { up: eventTimes, breaksOlder: false },
  '0009-hooks': { up: hooks, breaksOlder: true },
  '0010-releases': { up: releases, breaksOlder: false },
  '0011-actions': { up: actions, breaksOlder: false },
  '0012-runners': { up: runners, breaksOlder: false },
  '0013-workflow-triggers': { up: workflowTriggers, breaksOlder: true },
  '0014-workflow-secrets': { up: workflowSecrets, breaksOlder: false },
  '0015-outputs-and-cancellation': { up: outputsAndCancellation, breaksOlder: false },
  '0016-job-queues': { up: jobQueues, breaksOlder: false },
  '0017-runs-of-workflows': { up: runsOfWorkflows, breaksOlder: false },
  '0018-ssh': { up: ssh, breaksOlder: false },
  '0019-finding': { up: finding, breaksOlder: false },
  '0020-repository-transfers': { up: repositoryTransfers, breaksOlder: false },
  '0021-administration': { up: administration, breaksOlder: false },
  '0022-team-lists': { up: teamLists, breaksOlder: false },
  '0023-repository-lists': { up: repositoryLists, breaksOlder: false },
  '0024-owners-of-runs': { up: ownersOfRuns, breaksOlder: false },
  '0026-event-times-and-lock-order': { up: eventTimesAndLockOrder, breaksOlder: false },
  '0027-oldest-writer': { up: oldestWriter, breaksOlder: false },
  '0028-site-marks': { up: siteMarks, breaksOlder: false },
  '0029-account-limits': { up: accountLimits, breaksOlder: false },
  '0033-inputs-of-runs': { up: inputsOfRuns, breaksOlder: false },
  '0034-run-warnings': { up: runWarnings, breaksOlder: false },
  '0035-job-templates': { up: jobTemplates, breaksOlder: true },
  '0036-job-permissions': { up: jobPermissions, breaksOlder: false },
  '0037-workflow-events': { up: workflowEvents, breaksOlder: false },
  '0038-reusable-workflows': { up: reusableWorkflows, breaksOlder: true },
  '0039-releases-by-jobs': { up: releasesByJobs, breaksOlder: false },
  '0040-groups-of-called-workflows': { up: groupsOfCalledWorkflows, breaksOlder: false },
  '0041-backups': { up: backups, breaksOlder: false },
  '0042-jobs-that-stop-others': { up: jobsThatStopOthers, breaksOlder: false },
  // An older program would end jobs without reporting it on their commit, whose status would stay pending.
  '0043-commit-statuses': { up: commitStatuses, breaksOlder: true },
  '0044-labels-and-topics': { up: labelsAndTopics, breaksOlder: false },
  '0045-renamed-branches-and-badges': { up: renamedBranchesAndBadges, breaksOlder: false },
  '0046-notifications': { up: notifications, breaksOlder: false },
}
