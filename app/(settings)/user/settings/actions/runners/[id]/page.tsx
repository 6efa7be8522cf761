import { runnerMetadata, runnerPage } from '@/app/_features/runners/pages/runner-page'
import { scopeOfUser } from '@/app/_features/scopes/read-scope'

export const generateMetadata = runnerMetadata(scopeOfUser)

export default runnerPage(scopeOfUser)
