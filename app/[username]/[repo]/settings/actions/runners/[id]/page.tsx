import { runnerMetadata, runnerPage } from '@/app/_features/runners/pages/runner-page'
import { scopeOfRepository } from '@/app/_features/scopes/read-scope'

export const generateMetadata = runnerMetadata(scopeOfRepository)

export default runnerPage(scopeOfRepository)
