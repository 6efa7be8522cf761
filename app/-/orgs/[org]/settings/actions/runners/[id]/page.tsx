import { runnerMetadata, runnerPage } from '@/app/_features/runners/pages/runner-page'
import { scopeOfOrg } from '@/app/_features/scopes/read-scope'

export const generateMetadata = runnerMetadata(scopeOfOrg)

export default runnerPage(scopeOfOrg)
