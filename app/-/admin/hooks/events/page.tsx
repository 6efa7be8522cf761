import { explanationsPage } from '@/app/_features/hooks/pages/explanations-page'
import { scopeOfSite } from '@/app/_features/scopes/read-scope'

export const metadata = { title: 'Webhook events' }

export default explanationsPage(scopeOfSite)
