import { deliveriesPage } from '@/app/_features/hooks/pages/deliveries-page'
import { scopeOfSite } from '@/app/_features/scopes/read-scope'

export const metadata = { title: 'Deliveries' }

export default deliveriesPage(scopeOfSite)
