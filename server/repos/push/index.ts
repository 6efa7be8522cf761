/**
 * Records pushes: what Git's hooks write during a push, what is stored when it ends, and the recovery after a
 * crash.
 */

export { answerPushHook, installPushHooks, pushVariable } from './git-hooks'
export { isAncestor, startBudget } from './history'
export { type MaintenanceRequest, maintenance } from './maintenance'
export { pushOptionsRefusal } from './options'
export { countSpooledPushes, recoverPushes } from './recover'
export { type RefTransaction, startRefTransaction } from './ref-transaction'
export { isAbsent, isBranch, type RefUpdate } from './ref-update'
export { refusedNames } from './refuse-names'
export { refusedWorkflowChange } from './refuse-workflows'
export { settlePush } from './settle'
export { beginPush, type PushNote, readOutcome } from './spool'
export { type SpooledPush, spooledPushes, spoolPush } from './spooled'
export { updateRefs } from './update-refs'
