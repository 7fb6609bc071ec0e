/*
 * Published answers of ciphers, digests, MACs and key derivation. known_answer.h says
 * what each field holds.
 */
#include "core/attributes.h"
#include "crypto/known_answer_tables.h"

static const struct known_answer rows[] = {
    {
        .algorithm = "aes-128-ecb",
        .source = "NIST SP 800-38A F.1.1",
        .key = "2b7e151628aed2a6abf7158809cf4f3c",
        .input = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                 "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
        .output = "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"
                  "43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4",
    },
    {
        .algorithm = "aes-128-ecb",
        .source = "NIST CAVP AESAVS ECBMMT128.rsp, ENCRYPT, COUNT 9",
        .key = "ebea9c6a82213a00ac1d22faea22116f",
        .input = "451f45663b44fd005f3c288ae57b383883f02d9ad3dc1715f9e3d6948564257b"
                 "9b06d7dd51935fee580a96bbdfefb918b4e6b1daac809847465578cb8b5356ed"
                 "38556f801ff7c11ecba9cdd263039c15d05900fc228e1caf302d261d7fb56cee"
                 "663595b96f192a78ff4455393a5fe8162170a066fdaeac35019469f22b347068"
                 "6bced2f007a1a2e43e01b4562caaa502ed541b8205874ec1ffb1c8b255766942",
        .output = "01043053f832ef9b911ed387ba577451e30d51d4b6b11f319d4cd539d067b7f4"
                  "f9b4f41f7f3d4e920c57cbe2b5e1885aa66203ae493e93a1df63793a9563c176"
                  "bc6775dd09cc9161e278a01beb8fd8a19200326bd95abc5f716768e34f90b505"
                  "23d30fdabb103a3bc020afbbb0cb3bd2ad512a6fea79f8d64cef347458dec48b"
                  "e89451cb0b807d73593f273d9fc521b789a77524404f43e00f20b3b77b938b1a",
    },
    {
        .algorithm = "aes-128-cbc",
        .source = "NIST SP 800-38A F.2.1",
        .key = "2b7e151628aed2a6abf7158809cf4f3c",
        .nonce = "000102030405060708090a0b0c0d0e0f",
        .input = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                 "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
        .output = "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
                  "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7",
    },
    {
        .algorithm = "aes-128-cbc",
        .source = "NIST CAVP AESAVS CBCMMT128.rsp, ENCRYPT, COUNT 9",
        .key = "2c14413751c31e2730570ba3361c786b",
        .nonce = "1dbbeb2f19abb448af849796244a19d7",
        .input = "40d930f9a05334d9816fe204999c3f82a03f6a0457a8c475c94553d1d116693a"
                 "dc618049f0a769a2eed6a6cb14c0143ec5cccdbc8dec4ce560cfd20622570932"
                 "6d4de7948e54d603d01b12d7fed752fb23f1aa4494fbb00130e9ded4e77e37c0"
                 "79042d828040c325b1a5efd15fc842e44014ca4374bf38f3c3fc3ee327733b0c"
                 "8aee1abcd055772f18dc04603f7b2c1ea69ff662361f2be0a171bbdcea1e5d3f",
        .output = "6be8a12800455a320538853e0cba31bd2d80ea0c85164a4c5c261ae485417d93"
                  "effe2ebc0d0a0b51d6ea18633d210cf63c0c4ddbc27607f2e81ed9113191ef86"
                  "d56f3b99be6c415a4150299fb846ce7160b40b63baf1179d19275a2e83698376"
                  "d28b92548c68e06e6d994e2c1501ed297014e702cdefee2f656447706009614d"
                  "801de1caaf73f8b7fa56cf1ba94b631933bbe577624380850f117435a0355b2b",
    },
    {
        .algorithm = "aes-128-ctr",
        .source = "NIST SP 800-38A F.5.1",
        .key = "2b7e151628aed2a6abf7158809cf4f3c",
        .nonce = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        .input = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                 "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
        .output = "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
                  "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee",
    },
    {
        .algorithm = "aes-128-gcm",
        .source = "McGrew and Viega, The Galois/Counter Mode of Operation, appendix B, test case 4",
        .key = "feffe9928665731c6d6a8f9467308308",
        .nonce = "cafebabefacedbaddecaf888",
        .aad = "feedfacedeadbeeffeedfacedeadbeefabaddad2",
        .input = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                 "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
        .output = "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
                  "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e0915bc94fbc"
                  "3221a5db94fae95ae7121a47",
        .tag_bytes = 16,
    },
    {
        .algorithm = "aes-128-gcm",
        .source =
            "NIST CAVP GCMVS gcmEncryptExtIV128.rsp, PTlen 408, AADlen 160, Taglen 128, Count 0",
        .key = "fe47fcce5fc32665d2ae399e4eec72ba",
        .nonce = "5adb9609dbaeb58cbd6e7275",
        .aad = "88319d6e1d3ffa5f987199166c8a9b56c2aeba5a",
        .input = "7c0e88c88899a779228465074797cd4c2e1498d259b54390b85e3eef1c02df60"
                 "e743f1b840382c4bccaf3bafb4ca8429bea063",
        .output = "98f4826f05a265e6dd2be82db241c0fbbbf9ffb1c173aa83964b7cf539304373"
                  "6365253ddbc5db8778371495da76d269e5db3e291ef1982e4defedaa2249f898"
                  "556b47",
        .tag_bytes = 16,
    },
    {
        .algorithm = "aes-128-ccm",
        .source = "NIST CAVP CCMVS VNT128.rsp, Nlen 12, Count 50",
        .key = "005e8f4d8e0cbf4e1ceeb5d87a275848",
        .nonce = "0ec3ac452b547b9062aac8fa",
        .aad = "2f1821aa57e5278ffd33c17d46615b77363149dbc98470413f6543a6b749f2ca",
        .input = "b6f345204526439daf84998f380dcfb4b4167c959c04ff65",
        .output = "9575e16f35da3c88a19c26a7b762044f4d7bbbafeff05d754829e2a7752fa3a1"
                  "4890972884b511d8",
        .tag_bytes = 16,
    },
    {
        .algorithm = "aes-128-ccm",
        .source = "NIST SP 800-38C example 3",
        .key = "404142434445464748494a4b4c4d4e4f",
        .nonce = "101112131415161718191a1b",
        .aad = "000102030405060708090a0b0c0d0e0f10111213",
        .input = "202122232425262728292a2b2c2d2e2f3031323334353637",
        .output = "e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5484392fbc1b09951",
        .tag_bytes = 8,
    },
    {
        .algorithm = "aes-128-xts",
        .source = "NIST CAVP XTSVS XTSGenAES128.rsp (tweak format 128hexstr), ENCRYPT, COUNT 101",
        .key = "b7b93f516aef295eff3a29d837cf1f135347e8a21dae616ff5062b2e8d78ce5e",
        .nonce = "873edea653b643bd8bcf51403197ed14",
        .input = "236f8a5b58dd55f6194ed70c4ac1a17f1fe60ec9a6c454d087ccb77d6b638c47",
        .output = "22e6a3c6379dcf7599b052b5a749c7f78ad8a11b9f1aa9430cf3aef445682e19",
    },
    {
        .algorithm = "aes-128-xts",
        .source = "NIST CAVP XTSVS XTSGenAES128.rsp (tweak format 128hexstr), ENCRYPT, COUNT 301",
        .key = "394c97881abd989d29c703e48a72b397a7acf51b59649eeea9b33274d8541df4",
        .nonce = "4b15c684a152d485fe9937d39b168c29",
        .input = "2f3b9dcfbae729583b1d1ffdd16bb6fe2757329435662a78f0",
        .output = "f3473802e38a3ffef4d4fb8e6aa266ebde553a64528a06463e",
    },
    {
        .algorithm = "aes-128-xts",
        .source = "IEEE Std 1619-2007 annex B, vector 15",
        .key = "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0",
        .nonce = "9a785634120000000000000000000000",
        .input = "000102030405060708090a0b0c0d0e0f10",
        .output = "6c1625db4671522d3d7599601de7ca09ed",
    },
    {
        .algorithm = "aes-192-ecb",
        .source = "NIST SP 800-38A F.1.3",
        .key = "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
        .input = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                 "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
        .output = "bd334f1d6e45f25ff712a214571fa5cc974104846d0ad3ad7734ecb3ecee4eef"
                  "ef7afd2270e2e60adce0ba2face6444e9a4b41ba738d6c72fb16691603c18e0e",
    },
    {
        .algorithm = "aes-192-ecb",
        .source = "NIST CAVP AESAVS ECBMMT192.rsp, ENCRYPT, COUNT 9",
        .key = "4f41fa4d4a25100b586551828373bcca5540c68e9bf84562",
        .input = "7c727bd3e7048e7a8995b7b1169ae4b5a55e854bb4f7a9576d7863ab2868731d"
                 "307322dcca606e047343676f6af4d9cf6ebf2bf9c95d87848d233c931e7a60ef"
                 "f08fb959924cde1eec8699ebc57890e3887024ef47c89a550018788d1faa3250"
                 "452e06f148af25f07bc613cd2f0e501a79d738d4361f28f34dbee24034e03367"
                 "b6b8d34df3738ca3a86b9ebcb09e639bcb5e2f519f4a7a86fc7c41556404a95d",
        .output = "922812ad5feacdf11fe7fdae96300149419e31cff54061b3c5ed27fdb8b50c9c"
                  "0932b522a6c04e482499b011ef3c3e9dc56a1a61cfeb78b34032d26dbdc3cac5"
                  "1a3279bc934b9bce2d9c19bf858235613ba784e48e292d22c6b5a28e1d1bb860"
                  "524fb7b5f9b3d9a5f4da66e340585bd2496fe6d6942db8d05d716fec03b17d19"
                  "abb58b33332e24beaec7995d69525364fe139aa1fd62054668c58f23f1f94cfd",
    },
    {
        .algorithm = "aes-192-cbc",
        .source = "NIST SP 800-38A F.2.3",
        .key = "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
        .nonce = "000102030405060708090a0b0c0d0e0f",
        .input = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                 "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
        .output = "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a"
                  "571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd",
    },
    {
        .algorithm = "aes-192-cbc",
        .source = "NIST CAVP AESAVS CBCMMT192.rsp, ENCRYPT, COUNT 9",
        .key = "162ad50ee64a0702aa551f571dedc16b2c1b6a1e4d4b5eee",
        .nonce = "24408038161a2ccae07b029bb66355c1",
        .input = "be8abf00901363987a82cc77d0ec91697ba3857f9e4f84bd79406c138d02698f"
                 "003276d0449120bef4578d78fecabe8e070e11710b3f0a2744bd52434ec70015"
                 "884c181ebdfd51c604a71c52e4c0e110bc408cd462b248a80b8a8ac06bb952ac"
                 "1d7faed144807f1a731b7febcaf7835762defe92eccfc7a9944e1c702cffe6bc"
                 "86733ed321423121085ac02df8962bcbc1937092eebf0e90a8b20e3dd8c244ae",
        .output = "c82cf2c476dea8cb6a6e607a40d2f0391be82ea9ec84a537a6820f9afb997b76"
                  "397d005424faa6a74dc4e8c7aa4a8900690f894b6d1dca80675393d2243adac7"
                  "62f159301e357e98b724762310cd5a7bafe1c2a030dba46fd93a9fdb89cc132c"
                  "a9c17dc72031ec6822ee5a9d99dbca66c784c01b0885cbb62e29d97801927ec4"
                  "15a5d215158d325f9ee689437ad1b7684ad33c0d92739451ac87f39ff8c31b84",
    },
    {
        .algorithm = "aes-192-ctr",
        .source = "NIST SP 800-38A F.5.3",
        .key = "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
        .nonce = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        .input = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                 "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
        .output = "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94"
                  "1e36b26bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050",
    },
    {
        .algorithm = "aes-192-gcm",
        .source =
            "McGrew and Viega, The Galois/Counter Mode of Operation, appendix B, test case 10",
        .key = "feffe9928665731c6d6a8f9467308308feffe9928665731c",
        .nonce = "cafebabefacedbaddecaf888",
        .aad = "feedfacedeadbeeffeedfacedeadbeefabaddad2",
        .input = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                 "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
        .output = "3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c"
                  "7d773d00c144c525ac619d18c84a3f4718e2448b2fe324d9ccda27102519498e"
                  "80f1478f37ba55bd6d27618c",
        .tag_bytes = 16,
    },
    {
        .algorithm = "aes-192-gcm",
        .source =
            "NIST CAVP GCMVS gcmEncryptExtIV192.rsp, PTlen 408, AADlen 160, Taglen 128, Count 0",
        .key = "9900227ae0fccbb0d35ecf954629c969f36e539399f32ebe",
        .nonce = "1398992bfbd63149c14ba2a2",
        .aad = "788b6885feff23fc27bf9c462877b642ba1aa68d",
        .input = "9d4227eed28b9738f21541c4755a923a43ba20d6f3d6a6b7e31e56f1502f5e93"
                 "ed4c00511c6a7daeb0281ab947e91756638154",
        .output = "7b6ee7dd98eda9b20edb414711d9710de402b01950a6712e5809f608f7c0aa0f"
                  "ba4098f145fea6886d7baf51fcd182c8febf49f22c7c21f5ece2de6848210921"
                  "94f26c",
        .tag_bytes = 16,
    },
    {
        .algorithm = "aes-192-ccm",
        .source = "NIST CAVP CCMVS VNT192.rsp, Nlen 12, Count 50",
        .key = "d49b255aed8be1c02eb6d8ae2bac6dcd7901f1f61df3bbf5",
        .nonce = "1af29e721c98e81fb6286370",
        .aad = "64f8a0eee5487a4958a489ed35f1327e2096542c1bdb2134fb942ca91804c274",
        .input = "062eafb0cd09d26e65108c0f56fcc7a305f31c34e0f3a24c",
        .output = "721344e2fd05d2ee50713531052d75e4071103ab0436f65f0af2a663da51bac6"
                  "26c9f4128ba5ec0b",
        .tag_bytes = 16,
    },
    {
        .algorithm = "aes-256-ecb",
        .source = "NIST SP 800-38A F.1.5",
        .key = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
        .input = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                 "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
        .output = "f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870"
                  "b6ed21b99ca6f4f9f153e7b1beafed1d23304b7a39f9f3ff067d8d8f9e24ecc7",
    },
    {
        .algorithm = "aes-256-ecb",
        .source = "NIST CAVP AESAVS ECBMMT256.rsp, ENCRYPT, COUNT 9",
        .key = "44a2b5a7453e49f38261904f21ac797641d1bcd8ddedd293f319449fe63b2948",
        .input = "c91b8a7b9c511784b6a37f73b290516bb9ef1e8df68d89bf49169eac4039650c"
                 "4307b6260e9c4e93650223440252f5c7d31c26c56209cbd095bf035b9705880a"
                 "1628832daf9da587a6e77353dbbce189f963235df160c008a753e8ccea1e0732"
                 "aa469a97659c42e6e31c16a723153e39958abe5b8ad88ff2e89af40622ca0b0d"
                 "6729a26c1ae04d3b8367b548c4a6335f0e5a9ec914bb6113c05cd0112552bc21",
        .output = "05d51af0e2b61e2c06cb1e843fee3172825e63b5d1ce8183b7e1db6268db5aa7"
                  "26521f46e948028aa443af9ebd8b7c6baf958067ab0d4a8ac530ecbb68cdfc3e"
                  "b93034a428eb7e8f6a3813cea6189068dfecfa268b7ecd5987f8cb2732c6882b"
                  "bec8f716bac254d72269230aec5dc7f5a6b866fd305242552d400f5b0404f19c"
                  "bfe7291fab690ecfe6018c4309fc639d1b65fcb65e643edb0ad1f09cfe9cee4a",
    },
    {
        .algorithm = "aes-256-cbc",
        .source = "NIST SP 800-38A F.2.5",
        .key = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
        .nonce = "000102030405060708090a0b0c0d0e0f",
        .input = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                 "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
        .output = "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
                  "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b",
    },
    {
        .algorithm = "aes-256-cbc",
        .source = "NIST CAVP AESAVS CBCMMT256.rsp, ENCRYPT, COUNT 9",
        .key = "48be597e632c16772324c8d3fa1d9c5a9ecd010f14ec5d110d3bfec376c5532b",
        .nonce = "d6d581b8cf04ebd3b6eaa1b53f047ee1",
        .input = "0c63d413d3864570e70bb6618bf8a4b9585586688c32bba0a5ecc1362fada74a"
                 "da32c52acfd1aa7444ba567b4e7daaecf7cc1cb29182af164ae5232b00286869"
                 "5635599807a9a7f07a1f137e97b1e1c9dabc89b6a5e4afa9db5855edaa575056"
                 "a8f4f8242216242bb0c256310d9d329826ac353d715fa39f80cec144d6424558"
                 "f9f70b98c920096e0f2c855d594885a00625880e9dfb734163cecef72cf030b8",
        .output = "fc5873e50de8faf4c6b84ba707b0854e9db9ab2e9f7d707fbba338c6843a18fc"
                  "6facebaf663d26296fb329b4d26f18494c79e09e779647f9bafa87489630d79f"
                  "4301610c2300c19dbf3148b7cac8c4f4944102754f332e92b6f7c5e75bc6179e"
                  "b877a078d4719009021744c14f13fd2a55a2b9c44d18000685a845a4f632c7c5"
                  "6a77306efa66a24d05d088dcd7c13fe24fc447275965db9e4d37fbc9304448cd",
    },
    {
        .algorithm = "aes-256-ctr",
        .source = "NIST SP 800-38A F.5.5",
        .key = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
        .nonce = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        .input = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                 "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
        .output = "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
                  "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6",
    },
    {
        .algorithm = "aes-256-gcm",
        .source =
            "McGrew and Viega, The Galois/Counter Mode of Operation, appendix B, test case 16",
        .key = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
        .nonce = "cafebabefacedbaddecaf888",
        .aad = "feedfacedeadbeeffeedfacedeadbeefabaddad2",
        .input = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                 "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
        .output = "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                  "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f66276fc6ece"
                  "0f4e1768cddf8853bb2d551b",
        .tag_bytes = 16,
    },
    {
        .algorithm = "aes-256-gcm",
        .source =
            "NIST CAVP GCMVS gcmEncryptExtIV256.rsp, PTlen 408, AADlen 160, Taglen 128, Count 0",
        .key = "24501ad384e473963d476edcfe08205237acfd49b5b8f33857f8114e863fec7f",
        .nonce = "9ff18563b978ec281b3f2794",
        .aad = "adb5ec720ccf9898500028bf34afccbcaca126ef",
        .input = "27f348f9cdc0c5bd5e66b1ccb63ad920ff2219d14e8d631b3872265cf117ee86"
                 "757accb158bd9abb3868fdc0d0b074b5f01b2c",
        .output = "eb7cb754c824e8d96f7c6d9b76c7d26fb874ffbf1d65c6f64a698d839b0b0614"
                  "5dae82057ad55994cf59ad7f67c0fa5e85fab8bc95c532fecc594c36d1550286"
                  "a7a3f0",
        .tag_bytes = 16,
    },
    {
        .algorithm = "aes-256-ccm",
        .source = "NIST CAVP CCMVS VNT256.rsp, Nlen 12, Count 50",
        .key = "d6ff67379a2ead2ca87aa4f29536258f9fb9fc2e91b0ed18e7b9f5df332dd1dc",
        .nonce = "2f1d0717a822e20c7cd28f0a",
        .aad = "d50741d34c8564d92f396b97be782923ff3c855ea9757bde419f632c83997630",
        .input = "98626ffc6c44f13c964e7fcb7d16e988990d6d063d012d33",
        .output = "50e22db70ac2bab6d6af7059c90d00fbf0fb52eee5eb650e08aca7dec636170f"
                  "481dcb9fefb85c05",
        .tag_bytes = 16,
    },
    {
        .algorithm = "aes-256-xts",
        .source = "NIST CAVP XTSVS XTSGenAES256.rsp (tweak format 128hexstr), ENCRYPT, COUNT 1",
        .key = "1ea661c58d943a0e4801e42f4b0947149e7f9f8e3e68d0c7505210bd311a0e7c"
               "d6e13ffdf2418d8d1911c004cda58da3d619b7e2b9141e58318eea392cf41b08",
        .nonce = "adf8d92627464ad2f0428e84a9f87564",
        .input = "2eedea52cd8215e1acc647e810bbc3642e87287f8d2e57e36c0a24fbc12a202e",
        .output = "cbaad0e2f6cea3f50b37f934d46a9b130b9d54f07e34f36af793e86f73c6d7db",
    },
    {
        .algorithm = "chacha20",
        .source = "RFC 8439 appendix A.2, test vector 1",
        .key = "0000000000000000000000000000000000000000000000000000000000000000",
        .nonce = "00000000000000000000000000000000",
        .input = "0000000000000000000000000000000000000000000000000000000000000000"
                 "0000000000000000000000000000000000000000000000000000000000000000",
        .output = "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
                  "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586",
    },
    {
        .algorithm = "chacha20",
        .source = "RFC 8439 appendix A.2, test vector 3",
        .key = "1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0",
        .nonce = "2a000000000000000000000000000002",
        .input = "2754776173206272696c6c69672c20616e642074686520736c6974687920746f"
                 "7665730a446964206779726520616e642067696d626c6520696e207468652077"
                 "6162653a0a416c6c206d696d737920776572652074686520626f726f676f7665"
                 "732c0a416e6420746865206d6f6d65207261746873206f757467726162652e",
        .output = "62e6347f95ed87a45ffae7426f27a1df5fb69110044c0d73118effa95b01e5cf"
                  "166d3df2d721caf9b21e5fb14c616871fd84c54f9d65b283196c7fe4f60553eb"
                  "f39c6402c42234e32a356b3e764312a61a5532055716ead6962568f87d3f3f77"
                  "04c6a8d1bcd1bf4d50d6154b6da731b187b58dfd728afa36757a797ac188d1",
    },
    {
        .algorithm = "chacha20",
        .source = "RFC 8439 section 2.4.2",
        .key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        .nonce = "01000000000000000000004a00000000",
        .input = "4c616469657320616e642047656e746c656d656e206f662074686520636c6173"
                 "73206f66202739393a204966204920636f756c64206f6666657220796f75206f"
                 "6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73"
                 "637265656e20776f756c642062652069742e",
        .output = "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0b"
                  "f91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d8"
                  "07ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736"
                  "5af90bbf74a35be6b40b8eedf2785e42874d",
    },
    {
        .algorithm = "chacha20-poly1305",
        .source = "RFC 8439 section 2.8.2",
        .key = "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
        .nonce = "070000004041424344454647",
        .aad = "50515253c0c1c2c3c4c5c6c7",
        .input = "4c616469657320616e642047656e746c656d656e206f662074686520636c6173"
                 "73206f66202739393a204966204920636f756c64206f6666657220796f75206f"
                 "6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73"
                 "637265656e20776f756c642062652069742e",
        .output = "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6"
                  "3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36"
                  "92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
                  "3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd060"
                  "0691",
        .tag_bytes = 16,
    },
    {
        .algorithm = "sha1",
        .source = "FIPS 180-2 appendix A.1",
        .input = "616263",
        .output = "a9993e364706816aba3e25717850c26c9cd0d89d",
    },
    {
        .algorithm = "sha1",
        .source = "NIST CAVP SHAVS SHA1ShortMsg.rsp, Len 8",
        .input = "36",
        .output = "c1dfd96eea8cc2b62785275bca38ac261256e278",
    },
    {
        .algorithm = "sha1",
        .source = "NIST CAVP SHAVS SHA1ShortMsg.rsp, Len 512",
        .input = "45927e32ddf801caf35e18e7b5078b7f5435278212ec6bb99df884f49b327c64"
                 "86feae46ba187dc1cc9145121e1492e6b06e9007394dc33b7748f86ac3207cfe",
        .output = "a70cfbfe7563dd0e665c7c6715a96a8d756950c0",
    },
    {
        .algorithm = "sha256",
        .source = "FIPS 180-2 appendix B.1",
        .input = "616263",
        .output = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    },
    {
        .algorithm = "sha256",
        .source = "NIST CAVP SHAVS SHA256ShortMsg.rsp, Len 8",
        .input = "d3",
        .output = "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1",
    },
    {
        .algorithm = "sha256",
        .source = "NIST CAVP SHAVS SHA256ShortMsg.rsp, Len 512",
        .input = "5a86b737eaea8ee976a0a24da63e7ed7eefad18a101c1211e2b3650c5187c2a8"
                 "a650547208251f6d4237e661c7bf4c77f335390394c37fa1a9f9be836ac28509",
        .output = "42e61e174fbb3897d6dd6cef3dd2802fe67b331953b06114a65c772859dfc1aa",
    },
    {
        .algorithm = "sha512",
        .source = "FIPS 180-2 appendix C.1",
        .input = "616263",
        .output = "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                  "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
    },
    {
        .algorithm = "sha512",
        .source = "NIST CAVP SHAVS SHA512ShortMsg.rsp, Len 8",
        .input = "21",
        .output = "3831a6a6155e509dee59a7f451eb35324d8f8f2df6e3708894740f98fdee2388"
                  "9f4de5adb0c5010dfb555cda77c8ab5dc902094c52de3278f35a75ebc25f093a",
    },
    {
        .algorithm = "sha512",
        .source = "NIST CAVP SHAVS SHA512ShortMsg.rsp, Len 1024",
        .input = "fd2203e467574e834ab07c9097ae164532f24be1eb5d88f1af7748ceff0d2c67"
                 "a21f4e4097f9d3bb4e9fbf97186e0db6db0100230a52b453d421f8ab9c9a6043"
                 "aa3295ea20d2f06a2f37470d8a99075f1b8a8336f6228cf08b5942fc1fb4299c"
                 "7d2480e8e82bce175540bdfad7752bc95b577f229515394f3ae5cec870a4b2f8",
        .output = "a21b1077d52b27ac545af63b32746c6e3c51cb0cb9f281eb9f3580a6d4996d5c"
                  "9917d2a6e484627a9d5a06fa1b25327a9d710e027387fc3e07d7c4d14c6086cc",
    },
    {
        .algorithm = "sha384",
        .source = "FIPS 180-2 appendix D.1",
        .input = "616263",
        .output = "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
                  "8086072ba1e7cc2358baeca134c825a7",
    },
    {
        .algorithm = "sha384",
        .source = "NIST CAVP SHAVS SHA384ShortMsg.rsp, Len 8",
        .input = "c5",
        .output = "b52b72da75d0666379e20f9b4a79c33a329a01f06a2fb7865c9062a28c1de860"
                  "ba432edfd86b4cb1cb8a75b46076e3b1",
    },
    {
        .algorithm = "sha384",
        .source = "NIST CAVP SHAVS SHA384ShortMsg.rsp, Len 1024",
        .input = "3bf52cc5ee86b9a0190f390a5c0366a560b557000dbe5115fd9ee11630a62769"
                 "011575f15881198f227876e8fe685a6939bc8b89fd48a34ec5e71e131462b288"
                 "6794dffa68ccc6d564733e67ffef25e627c6f4b5460796e3bce67bf58ca6e8e5"
                 "55bc916a8531697ac948b90dc8616f25101db90b50c3d3dbc9e21e42ff387187",
        .output = "12b6cb35eda92ee37356ddee77781a17b3d90e563824a984faffc6fdd1693bd7"
                  "626039635563cfc3b9a2b00f9c65eefd",
    },
    {
        .algorithm = "sha3-256",
        .source = "NIST CAVP SHA3VS SHA3_256ShortMsg.rsp, Len 8",
        .input = "e9",
        .output = "f0d04dd1e6cfc29a4460d521796852f25d9ef8d28b44ee91ff5b759d72c1e6d6",
    },
    {
        .algorithm = "sha3-256",
        .source = "NIST CAVP SHA3VS SHA3_256ShortMsg.rsp, Len 1088",
        .input = "56ea14d7fcb0db748ff649aaa5d0afdc2357528a9aad6076d73b2805b53d89e7"
                 "3681abfad26bee6c0f3d20215295f354f538ae80990d2281be6de0f6919aa9eb"
                 "048c26b524f4d91ca87b54c0c54aa9b54ad02171e8bf31e8d158a9f586e92ffc"
                 "e994ecce9a5185cc80364d50a6f7b94849a914242fcb73f33a86ecc83c340363"
                 "0d20650ddb8cd9c4",
        .output = "4beae3515ba35ec8cbd1d94567e22b0d7809c466abfbafe9610349597ba15b45",
    },
    {
        .algorithm = "hmac-sha256",
        .source = "RFC 4231 section 4.3",
        .key = "4a656665",
        .input = "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
        .output = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    },
    {
        .algorithm = "hmac-sha256",
        .source = "RFC 4231 section 4.5",
        .key = "0102030405060708090a0b0c0d0e0f10111213141516171819",
        .input = "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd"
                 "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
        .output = "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
    },
    {
        .algorithm = "hmac-sha384",
        .source = "RFC 4231 section 4.3",
        .key = "4a656665",
        .input = "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
        .output = "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e"
                  "8e2240ca5e69e2c78b3239ecfab21649",
    },
    {
        .algorithm = "hmac-sha384",
        .source = "RFC 4231 section 4.5",
        .key = "0102030405060708090a0b0c0d0e0f10111213141516171819",
        .input = "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd"
                 "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
        .output = "3e8a69b7783c25851933ab6290af6ca77a9981480850009cc5577c6e1f573b4e"
                  "6801dd23c4a7d679ccf8a386c674cffb",
    },
    {
        .algorithm = "aes-128-cmac",
        .source = "NIST SP 800-38B appendix D.1, Mlen 128",
        .key = "2b7e151628aed2a6abf7158809cf4f3c",
        .input = "6bc1bee22e409f96e93d7e117393172a",
        .output = "070a16b46b4d4144f79bdd9dd04a287c",
    },
    {
        .algorithm = "aes-128-cmac",
        .source = "NIST SP 800-38B appendix D.1, Mlen 320",
        .key = "2b7e151628aed2a6abf7158809cf4f3c",
        .input = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                 "30c81c46a35ce411",
        .output = "dfa66747de9ae63030ca32611497c827",
    },
    {
        .algorithm = "aes-128-cmac",
        .source = "NIST SP 800-38B appendix D.1, Mlen 512",
        .key = "2b7e151628aed2a6abf7158809cf4f3c",
        .input = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                 "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
        .output = "51f0bebf7e3b9d92fc49741779363cfe",
    },
    {
        .algorithm = "hkdf-sha256",
        .source = "RFC 5869 appendix A.1",
        .key = "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
        .nonce = "000102030405060708090a0b0c",
        .aad = "f0f1f2f3f4f5f6f7f8f9",
        .output = "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"
                  "34007208d5b887185865",
    },
    {
        .algorithm = "hkdf-sha256",
        .source = "RFC 5869 appendix A.3",
        .key = "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
        .output = "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
                  "9d201395faa4b61a96c8",
    },
};

const struct known_answer_table known_answers_symmetric = {rows, COUNT_OF(rows)};
