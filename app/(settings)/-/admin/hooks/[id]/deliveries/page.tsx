import { deliveriesPage } from '@/app/_features/hooks/pages/deliveries-page'
import { placeOfSite } from '@/app/_features/hooks/places'

export const metadata = { title: 'Deliveries' }

export default deliveriesPage(placeOfSite)
