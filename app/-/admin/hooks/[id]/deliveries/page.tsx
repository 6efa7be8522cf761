import { deliveriesPage } from '@/app/_features/hooks/pages/deliveries-page'
import { placeOfSite } from '@/app/_features/places/read-place'

export const metadata = { title: 'Deliveries' }

export default deliveriesPage(placeOfSite)
