/*
 * Published answers of RSA, of ECDSA on Brainpool curves, of ML-KEM and of ML-DSA.
 */
#include "core/attributes.h"
#include "crypto/known_answer_tables.h"

static const struct known_answer rows[] = {
    {
        .algorithm = "rsa-2048",
        .source = "NIST CAVP FIPS 186-3 SigGen15_186-3.rsp, mod 2048, first message of SHA256 (its "
                  "digest as input)",
        .padding = CRYPTO_PKCS1,
        .key = "a564d3d06be468a46958d56bb4884e2c4c28f538b7e15df35330505177789d3e"
               "1d792ad7aec7fc80a8cccf7ed4030471100401724bd4636a8a8244180cc655e2"
               "56c00e778efe8bea55ab52d3a557075e35039d687cc0755b939a44a73033a0a6"
               "f09d2d6ae7e6593380718be00814d20567b1d7d48b633735e423017ff0a7b406"
               "d822f45fbb4d234028ca78abb702b18fcce13d2f69148ef584e9aaf283caab38"
               "f6946d342d600c6e77b7370a05ff302e5483b0faad3103d0b3e8c9c8e9eca1d4"
               "a871bdbd09585eb00dc3a488271cf6a3b767e68ea9bd2c83e8c89fd047f17915"
               "cf6a4c05bb9222b7e4470df5f3f1a28324c1aafcbb2236d2293041d128b0e15f",
        .nonce = "001001",
        .input = "6db37525fc9d8333b6954451ce2795c747c095f2407896af214faca91fe0b6da",
        .output = "795b0d51721469dcdf14df08eacaa83af79c2734226b3c8e048cbc4bd44ed7dc"
                  "6c1efaefe1c71f017a87641827a0d3af287e8c27efa7cebfc9435efc7f6eab1e"
                  "373551887217d08313e8ae5ef0b0efcb87c49c1f2898fcc117ac7db229d34bd4"
                  "ac39a4f91377f4b5a038338e7d4cf530e4e00ff67bf257e27e55fa6d2c0eb21a"
                  "d0bcfd65f9ea760a440cab4f904d4b817604289bc8ff96fb07c0a23b5d31abff"
                  "a706241d47fb42ef09b7bec820e6076ebe7e1e0f4eefe755bab2cbcae557aab8"
                  "208bb681d5381c1d09b4ccf1100f33cad1990efb507062ea51de3dfae0821f10"
                  "6b4b052244c379d0d32de7a56ee17a7d9a5dca2b472f0d3eefa05f4e02fc0295",
    },
    {
        .algorithm = "rsa-2048",
        .source = "Project Wycheproof, rsa_pss_2048_sha256_mgf1_32_test.json, tcId 4 (its digest "
                  "as input)",
        .padding = CRYPTO_PSS,
        .key = "a2b451a07d0aa5f96e455671513550514a8a5b462ebef717094fa1fee82224e6"
               "37f9746d3f7cafd31878d80325b6ef5a1700f65903b469429e89d6eac8845097"
               "b5ab393189db92512ed8a7711a1253facd20f79c15e8247f3d3e42e46e48c98e"
               "254a2fe9765313a03eff8f17e1a029397a1fa26a8dce26f490ed81299615d981"
               "4c22da610428e09c7d9658594266f5c021d0fceca08d945a12be82de4d1ece6b"
               "4c03145b5d3495d4ed5411eb878daf05fd7afc3e09ada0f1126422f590975a19"
               "69816f48698bcbba1b4d9cae79d460d8f9f85e7975005d9bc22c4e5ac0f7c1a4"
               "5d12569a62807d3b9a02e5a530e773066f453d1f5b4c2e9cf7820283f742b9d5",
        .nonce = "010001",
        .input = "bb5a52f42f9c9261ed4361f59422a1e30036e7c32b270c8807a419feca605023",
        .output = "68caf07e71ee654ffabf07d342fc4059deb4f7e5970746c423b1e8f668d53322"
                  "75cc35eb61270aebd27855b1e80d59def47fe8882867fd33c2308c91976baa0b"
                  "1df952caa78db4828ab81e79949bf145cbdfd1c4987ed036f81e8442081016f2"
                  "0fa4b587574884ca6f6045959ce3501ae7c02b1902ec1d241ef28dee356c0d30"
                  "d28a950f1fbc683ee7d9aad26b048c13426fe3975d5638afeb5b9c1a99d162d3"
                  "a5810e8b074d7a2eae2be52b577151f76e1f734b0a956ef4f22be64dc20a81ad"
                  "1316e4f79dff5fc41fc08a20bc612283a88415d41595bfea66d59de7ac12e230"
                  "f72244ad9905aef0ead3fa41ed70bf4218863d5f041292f2d14ce0a7271c6d36",
    },
    {
        .algorithm = "rsa-3072",
        .source = "NIST CAVP FIPS 186-3 SigGen15_186-3.rsp, mod 3072, first message of SHA256 (its "
                  "digest as input)",
        .padding = CRYPTO_PKCS1,
        .key = "cd284b76dbc096eb9aa79879bffb3eb6a0280c39459b54e6c3eed1cf312a07ff"
               "a54645c4bdac4984e12091acaed0bfd1039a544522b9c34fd690c6278092a088"
               "19d380c962421a48afd897c041860425cd6669ac8037d703df793cd777c0d562"
               "ee93204b2c599942aa6d966068ca99f38ad1062918f341f661220fd8e33328ef"
               "819e52ee9af40f60774dee2d62d211fb9262dba17e8c5dccf1e88e2bbdc8a8ba"
               "708984042f96d00f4855081f71b1ab27f3eb35fbf41ebe8f9b220f1d69e2a53a"
               "99f7e30a6aac172c7a5ae7969af934f4573c804534c9feb5c840a5064ded4373"
               "1827b1f0ec81ae4f494f8460fa70d4f0ac45f50a23f99340be77099d4be8a9ae"
               "00070bf2b3574a42d5a1c1944680950f6a4a98de65ce97317cfbfe34fca61ed3"
               "6c1ee7b2f788ab14f8a409aa33af73f2e3ae3fb0ee94599e031eab082515a749"
               "094110ff17a052ce5356925c34ecbbee940826fcb6a77eeb8ebbc14345d5b3aa"
               "1ba2ab436c459fae5df33d4db89165e7d6c9e09b68edd7204654510327648d63",
        .nonce = "001001",
        .input = "84fa4d5fae16fa6985d028e534e6f55f4404f3771edcdeb35eca8cd49ae8feb6",
        .output = "b7fcda39e198a9942dfe6558d1415bb84eb4cca18484e727ea233536d534d9f8"
                  "251b0afaa29526564e3d2e8abeb63216025e14b9274762b150e4fe91f71d8bab"
                  "7758a807556ce2155611df0e660aa384ae3da76c95144ee04ca643bcea88352f"
                  "6cfc6f889c5ebfd40afcb903c3ed23ac53746acbd131d1867b1f964e44a88dbc"
                  "0da952d931b317fec52bdbfd86c131840c7b8249392eddc71edb38bab02dc0b9"
                  "bccfa51a759e2a668bf6b363d3362abff78691d571cc380178771b896df1cc04"
                  "0cdf8985f779f677895272d0cc5cbed494597f70ebce6b0d857dfbd4f3646df3"
                  "a6e4a0d80f7cc2fa5f8522757659a9a71ed6dd4b2c2261b3b4272a97a8dbfafb"
                  "2b51d2a8f9566acd4ed9590a9294d4b0a74165ed8cc5084e39ea47b9ec44d863"
                  "16b861eb5941917fba767a8891685c24c48fc9a75cdd9eee21b2d572411ac89d"
                  "d3cf00223a0e37bd58c2f230c38b0a849958bc5bac1964915c0b02ff47b281cc"
                  "830eac4d327b013b51de2d8c63948a5cc8460ce14980f927fba6c7fdf4c133e2",
    },
    {
        .algorithm = "rsa-4096",
        .source = "NIST CAVP FIPS 186-3 SigGen15_186-3.rsp, mod 4096, first message of SHA256 (its "
                  "digest as input)",
        .padding = CRYPTO_PKCS1,
        .key = "dc3d97a1ca61b31814e9407d87c4290b57e9d4b257340cb9793cfabf0798b817"
               "6457be960e887a622b707d6f9b30877711e10ac7e8369693d67cfe886a947244"
               "b103a236f781f22b40bee6527e3746ed1e5f79319e7c4952fd31c5abeb846f1a"
               "576502075d18fea4b1edb14d1dd0ae5e4648331cec392418bdb46d37ff2567b5"
               "1a3bfa45f12d84d07a2f42206e21d5bfc3828183171bf2812c0e17dc9c91d8b8"
               "90a0df08782f0f1b9327c23a38f3a1e5edde693f3eff80533cb786ba84a5ae9e"
               "8a9d382d1202b15336643e21954066e4484e678ec372360a742618dfc56a7cbd"
               "14dfa93ea30e9fb8704cfe8683d36e538f1379b37a980d58e08bc6c3947ebf81"
               "13741d5e5fc9ee600ced97facff4c53cff8f64bb5c518acea94123ca04e94039"
               "1944131f3800eccc9cef70dd1df05b5daed012bf5088ab33ff81b1d3cd473aa6"
               "ae838305b4fabfed8f447a6f869c51bac7d78976cd29285c9e8308b523d377ba"
               "84fe97292e786df96932fd46ce98d37e65847b54d6adbe8d287e17843cfc1cb2"
               "57fc1dce930e3b909ae72492fe3404b63bc65aed8c7f8868c021fe3162a16f86"
               "f2fe909c3af106bb15b2747337d8b528e3e5cae24895ac78f060c583cd4248ee"
               "5a0c8ff6a167cf89acd723e6a9f69e94353515bf0eaf4e103ef861c24c070293"
               "7e7e8ae4c19120f5a329c40ace4db2c0d4294bda39ec39d70c12409ee7a7f399",
        .nonce = "001001",
        .input = "2583c619608ae9bcd3b90e2a44a9789775cf5d09c3b161bcd7e807be82c2d9c3",
        .output = "80cdd9ed7a7d176a57be1e002aaf78d959753c7a8bf6ffa65a52b8c604fa4f0f"
                  "cd9e9684ee0e7cb25a29620ef649cff856fa27b710f900944cff5648e8095e05"
                  "332931ddd44396cc52d7a5356c04ab210278c79a45a4c82edc307c11cafd5dc5"
                  "8af57966ec442761f41a4fef68df89e42d9fd766d5c1beb778d9d56be7937c63"
                  "21facc671415bfa0744df556535c2260051c4413eeb325ce56f1f2e1cb665ec0"
                  "12b5646e12e401c02e61dd99acd7041d328a90080cfef65c32168537788fdbec"
                  "64b3f182369435528341e19351f8e045c65b80601bbf87a22fe2de794de82156"
                  "9108351af0512b592bdcbc6e91ffb09751f41517aa13338884b988b88e4865cf"
                  "e5788dd2889fe3160baf7eab085b5f9e44014f65cf44d6251495599919ff2a5c"
                  "e75ffbe1f8f1233a3c4ccca8c99b00f2dd40262167fdf55e8982481d7cded466"
                  "152d8897443d5055cb0723cdd88e6b392531adbda05a96097732f2a799e532e6"
                  "4a6b0f8eed119e43df545abb93432f85e7b4d848d52e3177e83f5b2a2c31e301"
                  "412e141b14b257b74935f3b30787d02e1ddff8765f2f437fdd5fed5c79ccc9f5"
                  "46ec2ea1f4e02150eeeec9a18b917999fd01d1350344d92d799df67465e2af7c"
                  "b7b85e24c687efdc16eb9c666306027f5edee3cd63ec26c9be9ff4af883956ed"
                  "1a1879178431dc764e23fd82692f21d6cec10700e34e37bc8d432890ed047711",
    },
    {
        .algorithm = "ecdsa-brainpoolp256r1",
        .source = "Project Wycheproof, ecdsa_brainpoolP256r1_sha256_test.json, tcId 2 (its digest "
                  "as input)",
        .key = "04019a2d9637743a63ddaefdbca0ee229a163b809b9b145e5313bbeb8defeab9"
               "d6548caf89bf5ba49499404145651234336401b9b2843a579ed152e090f11b9e"
               "59",
        .input = "bb5a52f42f9c9261ed4361f59422a1e30036e7c32b270c8807a419feca605023",
        .output = "0a5f8c70ba2d0842d5d0f841f160ad15195769a8159bfe692634d73d469d111f"
                  "678cd260f4aeb211a781388fdd48478007cf43d32b736de019916ce1c0737c39",
    },
    {
        .algorithm = "ecdsa-brainpoolp384r1",
        .source = "Project Wycheproof, ecdsa_brainpoolP384r1_sha384_test.json, tcId 2 (its digest "
                  "as input)",
        .key = "04192ed5ce547d2336911d3f6cecba227f08df077f6242a9147a914e854e6e32"
               "d325fd23ccc42921dc4a7e4c2eb71defd3631e69079ba982e7a1cad0a39eff47"
               "fc6d6e3a280d081286b624886ba1f3069671ec1a29986d84fb79736d2799e6fc"
               "21",
        .input = "f9b127f0d81ebcd17b7ba0ea131c660d340b05ce557c82160e0f793de07d3817"
                 "9023942871acb7002dfafdfffc8deace",
        .output = "0e8e114a1c351405560bf8d47b166bfe957087a8003b353433b6144f7ee7d6f7"
                  "9c8dd14ef229fa7a2f2782bf33708b91090ea2de1d5c671a15cb3fe184889f44"
                  "39b99cc37b82cb0618df9b8c0fa5f611e6a80f13cbac0f921c0ea6ed6dadeb41",
    },
    {
        .algorithm = "ecdsa-brainpoolp512r1",
        .source = "Project Wycheproof, ecdsa_brainpoolP512r1_sha512_test.json, tcId 2 (its digest "
                  "as input)",
        .key = "0467cea1bedf84cbdcba69a05bb2ce3a2d1c9d911d236c480929a16ad697b45a"
               "6ca127079fe8d7868671e28ef33bdf9319e2e51c84b190ac5c91b51baf0a980b"
               "a500a7e79006194b5378f65cbe625ef2c47c64e56040d873b995b5b1ebaa4a6c"
               "e971da164391ff619af3bcfc71c5e1ad27ee0e859c2943e2de8ef7c43d3c976e"
               "9b",
        .input = "43f800fbeaf9238c58af795bcdad04bc49cd850c394d3382953356b023210281"
                 "757b30e19218a37cbd612086fbc158caa8b4e1acb2ec00837e5d941f342fb3cc",
        .output = "0bd2593447cc6c02caf99d60418dd42e9a194c910e6755ed0c7059acac656b04"
                  "ccfe1e8348462ee43066823aee2fed7ca012e9890dfb69866d7ae88b6506f9c7"
                  "66297ab3f5564b25270455d2689fd6b6076515606db7ebeefc91f709dca7ace1"
                  "8e51086e7a1f8c2e85ad79a052959077c58d4140cdf3cb60ec3b22e00cf194f8",
    },
    {
        .algorithm = "ml-kem-512",
        .source = "accumulated digest on which PQClean, kyber-py and CIRCL agree, 100 iterations",
        .output = "86b1b4703b8ffef6f7f3290c6dbce4ad954498a0673ded401a94828e8c519a59",
    },
    {
        .algorithm = "ml-kem-768",
        .source = "Go 1.24 crypto/mlkem, TestAccumulated, 100 iterations",
        .output = "1114b1b6699ed191734fa339376afa7e285c9e6acf6ff0177d346696ce564415",
    },
    {
        .algorithm = "ml-kem-1024",
        .source =
            "accumulated digest on which PQClean, kyber-py, Go and CIRCL agree, 100 iterations",
        .output = "800018fec3e2723f73f1d657fe239b4d5d8782efaade297e8cd448e54cc2ac00",
    },
    {
        .algorithm = "ml-dsa-44",
        .source = "C2SP CCTV, ML-DSA/accumulated, 100 iterations",
        .output = "d51148e1f9f4fa1a723a6cf42e25f2a99eb5c1b378b3d2dbbd561b1203beeae4",
    },
    {
        .algorithm = "ml-dsa-65",
        .source = "C2SP CCTV, ML-DSA/accumulated, 100 iterations",
        .output = "8358a1843220194417cadbc2651295cd8fc65125b5a5c1a239a16dc8b57ca199",
    },
    {
        .algorithm = "ml-dsa-87",
        .source = "C2SP CCTV, ML-DSA/accumulated, 100 iterations",
        .output = "8c3ad714777622b8f21ce31bb35f71394f23bc0fcf3c78ace5d608990f3b061b",
    },
};

const struct known_answer_table known_answers_key = {rows, COUNT_OF(rows)};
