import { jobTokensPage } from '@/app/_features/job-tokens/job-tokens-page'
import { scopeOfRepository } from '@/app/_features/scopes/read-scope'

export const metadata = { title: 'Job tokens' }

export default jobTokensPage(scopeOfRepository)
