/** Recording pushes: what git's hooks note while a push runs, what is written when it ends, and recovery after a crash. */

export { answerPushHook, installPushHooks, pushVariable } from './hooks'
export { countSpooledPushes, recoverPushes } from './recover'
export { settlePush } from './settle'
export { beginPush, readOutcome } from './spool'
export { updateRefs } from './update-refs'
