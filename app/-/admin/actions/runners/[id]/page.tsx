import { runnerMetadata, runnerPage } from '@/app/_features/runners/pages/runner-page'
import { scopeOfSite } from '@/app/_features/scopes/read-scope'

export const generateMetadata = runnerMetadata(scopeOfSite)

export default runnerPage(scopeOfSite)
