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

/** In order of their names; a static map, so that bundling keeps them. */
export const migrations: Record<string, Migration> = {
  '0001-accounts-and-keys': { up: accountsAndKeys },
  '0002-organizations-and-repositories': { up: organizationsAndRepositories },
  '0003-token-expiry': { up: tokenExpiry },
  '0004-search-settings-and-former-names': { up: searchSettingsAndFormerNames },
  '0005-tag-count': { up: tagCount },
  '0006-hidden-activity': { up: hiddenActivity },
  '0007-event-outbox': { up: eventOutbox },
  '0008-event-times': { up: eventTimes },
  '0009-hooks': { up: hooks },
  '0010-releases': { up: releases },
  '0011-actions': { up: actions },
  '0012-runners': { up: runners },
  '0013-workflow-triggers': { up: workflowTriggers },
  '0014-workflow-secrets': { up: workflowSecrets },
  '0015-outputs-and-cancellation': { up: outputsAndCancellation },
  '0016-job-queues': { up: jobQueues },
  '0017-runs-of-workflows': { up: runsOfWorkflows },
  '0018-ssh': { up: ssh },
  '0019-finding': { up: finding },
  '0020-repository-transfers': { up: repositoryTransfers },
  '0021-administration': { up: administration },
  '0022-team-lists': { up: teamLists },
  '0023-repository-lists': { up: repositoryLists },
  '0024-owners-of-runs': { up: ownersOfRuns },
  '0026-event-times-and-lock-order': { up: eventTimesAndLockOrder },
}
